import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.Modifier;
import javax.tools.*;

/** What the Java compiler's own tree says a file declares, one JSON object a line for each path on standard input. */
public class Reference {
  record Item(String name, boolean exported, List<String> signatures) {}

  public static void main(String[] arguments) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    for (String path; (path = lines.readLine()) != null; ) out.println(describe(path));
    out.flush();
  }

  static String describe(String path) throws IOException {
    String source = Files.readString(Path.of(path));
    JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///A.java"), JavaFileObject.Kind.SOURCE) {
      @Override public CharSequence getCharContent(boolean ignoreEncodingErrors) { return source; }
    };
    DiagnosticCollector<JavaFileObject> errors = new DiagnosticCollector<>();
    JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, errors, List.of("-proc:none"), null, List.of(file));
    CompilationUnitTree unit = task.parse().iterator().next();
    boolean broken = errors.getDiagnostics().stream().anyMatch(each -> each.getKind() == Diagnostic.Kind.ERROR);
    if (broken) return "{\"path\":" + quoted(path) + ",\"error\":\"syntax\"}";
    Reference reader = new Reference(source, unit, Trees.instance(task).getSourcePositions());
    for (Tree each : unit.getTypeDecls()) if (each instanceof ClassTree type) reader.type("", true, type, false);
    StringBuilder json = new StringBuilder("{\"path\":" + quoted(path) + ",\"items\":[");
    for (int at = 0; at < reader.items.size(); at++) json.append(at == 0 ? "" : ",").append(written(reader.items.get(at)));
    return json.append("]}").toString();
  }

  final String source;
  final CompilationUnitTree unit;
  final SourcePositions positions;
  final List<Item> items = new ArrayList<>();

  Reference(String source, CompilationUnitTree unit, SourcePositions positions) {
    this.source = source;
    this.unit = unit;
    this.positions = positions;
  }

  int start(Tree tree) { return (int) positions.getStartPosition(unit, tree); }
  int end(Tree tree) { return (int) positions.getEndPosition(unit, tree); }

  void type(String owner, boolean open, ClassTree type, boolean inInterface) {
    String name = owner + type.getSimpleName();
    boolean exported = open && !type.getModifiers().getFlags().contains(Modifier.PRIVATE);
    int from = Math.max(start(type), end(type.getModifiers()));
    // An enum's signature may hold its constants.
    items.add(new Item(name, exported, List.of(source.substring(start(type), headEnd(from)).strip(), trimmed(start(type), end(type)))));
    boolean isRecord = type.getKind() == Tree.Kind.RECORD;
    int body = headEnd(from);
    for (Tree member : type.getMembers()) {
      if (member instanceof ClassTree inner) type(name + ".", exported, inner, false);
      if (member instanceof MethodTree method && start(method) > body) method(name, exported, type, method);
      if (member instanceof VariableTree variable && !(isRecord && start(variable) < body)) variable(name, exported, type, variable);
    }
  }

  void method(String owner, boolean open, ClassTree type, MethodTree method) {
    boolean isConstructor = method.getName().contentEquals("<init>");
    boolean exported = open && !method.getModifiers().getFlags().contains(Modifier.PRIVATE);
    int to = method.getBody() == null ? end(method) : start(method.getBody());
    items.add(new Item(owner + "." + (isConstructor ? type.getSimpleName() : method.getName()), exported, List.of(trimmed(start(method), to))));
  }

  void variable(String owner, boolean open, ClassTree type, VariableTree variable) {
    boolean exported = open && !variable.getModifiers().getFlags().contains(Modifier.PRIVATE);
    String afterModifiers = source.substring(Math.max(start(variable), end(variable.getModifiers()))).stripLeading();
    boolean isConstant = type.getKind() == Tree.Kind.ENUM && afterModifiers.startsWith(variable.getName().toString());
    long beside = type.getMembers().stream().filter(each -> each instanceof VariableTree && start(each) == start(variable)).count();
    List<String> signatures = new ArrayList<>();
    if (!isConstant && beside == 1 && end(variable) > 0) {
      signatures.add(trimmed(start(variable), end(variable)));
      if (variable.getInitializer() != null) signatures.add(trimmed(start(variable), source.indexOf('=', end(variable.getType()))));
    }
    items.add(new Item(owner + "." + variable.getName(), exported, signatures));
  }

  String trimmed(int from, int to) {
    return source.substring(from, to).strip().replaceFirst(";$", "").strip();
  }

  /** Where the brace of a class opens, parentheses of a record and comments passed over. */
  int headEnd(int from) {
    int depth = 0;
    for (int at = from; at < source.length(); at++) {
      if (source.startsWith("//", at)) at = source.indexOf('\n', at);
      else if (source.startsWith("/*", at)) at = source.indexOf("*/", at) + 1;
      else if (source.charAt(at) == '(') depth++;
      else if (source.charAt(at) == ')') depth--;
      else if (source.charAt(at) == '{' && depth == 0) return at;
    }
    return source.length();
  }

  static String written(Item item) {
    StringJoiner signatures = new StringJoiner(",", "[", "]");
    for (String each : item.signatures()) signatures.add(quoted(each));
    return "{\"name\":" + quoted(item.name()) + ",\"exported\":" + item.exported() + ",\"signatures\":" + signatures + "}";
  }

  static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (char each : text.toCharArray())
      if (each == '"' || each == '\\') json.append('\\').append(each);
      else if (each < ' ') json.append(String.format("\\u%04x", (int) each));
      else json.append(each);
    return json.append('"').toString();
  }
}
