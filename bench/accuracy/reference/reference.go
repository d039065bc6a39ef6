// What Go's own go/ast says a file declares, one JSON object a line for each path on standard input.
package main

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

type item struct {
	Name       string   `json:"name"`
	Exported   bool     `json:"exported"`
	Signatures []string `json:"signatures"`
}

type described struct {
	Path  string `json:"path"`
	Error string `json:"error,omitempty"`
	Items []item `json:"items"`
}

type reader struct {
	files  *token.FileSet
	source []byte
	items  []item
}

func (r *reader) text(from, to token.Pos) string {
	return string(r.source[r.files.Position(from).Offset:r.files.Position(to).Offset])
}

func (r *reader) add(name string, exported bool, signatures ...string) {
	r.items = append(r.items, item{name, exported, signatures})
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		out.Encode(describe(lines.Text()))
	}
}

func describe(path string) described {
	source, err := os.ReadFile(path)
	if err != nil {
		return described{Path: path, Error: err.Error()}
	}
	r := &reader{files: token.NewFileSet(), source: source, items: []item{}}
	file, err := parser.ParseFile(r.files, path, source, 0)
	if err != nil {
		return described{Path: path, Error: err.Error()}
	}
	for _, declaration := range file.Decls {
		switch each := declaration.(type) {
		case *ast.FuncDecl:
			r.function(each)
		case *ast.GenDecl:
			for _, spec := range each.Specs {
				r.spec(each, spec)
			}
		}
	}
	return described{Path: path, Items: r.items}
}

func (r *reader) function(each *ast.FuncDecl) {
	signature := r.text(each.Pos(), each.Type.End())
	name, exported := each.Name.Name, each.Name.IsExported()
	if each.Recv != nil && len(each.Recv.List) > 0 {
		owner := receiver(each.Recv.List[0].Type)
		name, exported = owner+"."+name, exported && ast.IsExported(owner)
	}
	r.add(name, exported, signature)
}

func receiver(expression ast.Expr) string {
	switch each := expression.(type) {
	case *ast.Ident:
		return each.Name
	case *ast.StarExpr:
		return receiver(each.X)
	case *ast.ParenExpr:
		return receiver(each.X)
	case *ast.IndexExpr:
		return receiver(each.X)
	case *ast.IndexListExpr:
		return receiver(each.X)
	}
	return "?"
}

func (r *reader) spec(group *ast.GenDecl, spec ast.Spec) {
	head := func(end token.Pos) string {
		if group.Lparen.IsValid() {
			return group.Tok.String() + " " + r.text(spec.Pos(), end)
		}
		return r.text(group.Pos(), end)
	}
	switch each := spec.(type) {
	case *ast.ValueSpec:
		short := each.Names[len(each.Names)-1].End()
		if each.Type != nil {
			short = each.Type.End()
		}
		for _, name := range each.Names {
			r.add(name.Name, name.IsExported(), head(each.End()), head(short))
		}
	case *ast.TypeSpec:
		r.typeSpec(each, head)
	}
}

func (r *reader) typeSpec(each *ast.TypeSpec, head func(token.Pos) string) {
	exported := each.Name.IsExported()
	switch body := each.Type.(type) {
	case *ast.StructType:
		r.add(each.Name.Name, exported, head(body.Struct+token.Pos(len("struct"))))
		r.fields(each.Name.Name, exported, body.Fields)
	case *ast.InterfaceType:
		r.add(each.Name.Name, exported, head(body.Interface+token.Pos(len("interface"))))
		r.fields(each.Name.Name, exported, body.Methods)
	default:
		r.add(each.Name.Name, exported, head(each.End()))
	}
}

func (r *reader) fields(owner string, exported bool, fields *ast.FieldList) {
	for _, field := range fields.List {
		signature := r.text(field.Pos(), field.End())
		for _, name := range field.Names {
			r.add(owner+"."+name.Name, exported && name.IsExported(), signature)
		}
	}
}
