import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.*;
import javax.tools.*;

/** Calls inside a Java project as the compiler resolves them, one JSON object per line; libraries may be missing. Paths come on standard input. */
public class Calls {
  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]).toRealPath();
    List<File> files = new ArrayList<>();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String path; (path = lines.readLine()) != null; ) if (path.endsWith(".java")) files.add(root.resolve(path).toFile());
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    JavacTask task = (JavacTask) compiler.getTask(null, manager, new DiagnosticCollector<>(), List.of("-proc:none", "-XDshould-stop.ifError=FLOW"), null, manager.getJavaFileObjectsFromFiles(files));
    List<CompilationUnitTree> units = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) units.add(unit);
    try { task.analyze(); } catch (RuntimeException failed) { System.err.println(failed); }
    Trees trees = Trees.instance(task);
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    for (CompilationUnitTree unit : units) new TreePathScanner<Void, Void>() {
      @Override public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
        note(call, call.getMethodSelect());
        return super.visitMethodInvocation(call, none);
      }
      @Override public Void visitNewClass(NewClassTree call, Void none) {
        if (call.getClassBody() == null) note(call, call);
        return super.visitNewClass(call, none);
      }
      void note(Tree call, Tree callee) {
        Element target = trees.getElement(new TreePath(getCurrentPath(), callee));
        if (callee == call) target = trees.getElement(getCurrentPath());
        if (!(target instanceof ExecutableElement method)) return;
        TreePath declared = trees.getPath(method);
        boolean isType = method.getKind() == ElementKind.CONSTRUCTOR;
        if (declared == null && isType) declared = trees.getPath(method.getEnclosingElement());
        if (declared == null) return;
        CompilationUnitTree to = declared.getCompilationUnit();
        Tree leaf = declared.getLeaf();
        long start = trees.getSourcePositions().getStartPosition(to, leaf);
        long at = trees.getSourcePositions().getStartPosition(unit, call);
        String name = isType ? method.getEnclosingElement().getSimpleName().toString() : method.getSimpleName().toString();
        if (isType && callee != call) return;
        out.println("{\"path\":\"" + path(root, unit) + "\",\"line\":" + unit.getLineMap().getLineNumber(at)
            + ",\"name\":\"" + name + "\",\"to\":\"" + path(root, to) + "\",\"toLine\":" + to.getLineMap().getLineNumber(start) + ",\"owner\":\"" + method.getEnclosingElement().getSimpleName() + "\",\"isType\":" + isType + "}");
      }
    }.scan(unit, null);
    out.flush();
  }

  static String path(Path root, CompilationUnitTree unit) {
    return root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
  }
}
