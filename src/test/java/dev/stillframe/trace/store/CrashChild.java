package dev.stillframe.trace.store;

import dev.stillframe.trace.NodeOptions;
import dev.stillframe.trace.TraceManager;
import dev.stillframe.trace.TraceNode;
import dev.stillframe.trace.TraceOptions;
import dev.stillframe.trace.TraceRegistry;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * Writes events until it is killed. Threads add log entries, and as a flush says that they are
 * kept, the child says so: {@code thread number}.
 */
final class CrashChild {
  private CrashChild() {}

  /**
   * Runs the child.
   *
   * @param args the base folder, the id, how many threads, and whether the trace exists
   */
  public static void main(String[] args) throws Exception {
    FileTraceStore store =
        FileTraceStore.builder(Path.of(args[0])).durability(Durability.EACH_EVENT).build();
    TraceRegistry registry = TraceRegistry.over(store);
    TraceOptions options = TraceOptions.builder().id(args[1]).build();
    TraceManager trace =
        Boolean.parseBoolean(args[3]) ? registry.load(args[1], options) : registry.open(options);
    PrintStream out = System.out;
    for (int t = 0; t < Integer.parseInt(args[2]); t++) {
      int thread = t;
      TraceNode node = trace.add(null, NodeOptions.label("thread").keepParentsOpen());
      new Thread(
              () -> {
                for (int i = 0; ; i++) {
                  node.info("{} {} {}", thread, i, "x".repeat(i * 37 % 500));
                  if (trace.flush()) {
                    synchronized (out) {
                      out.println(node.id() + " " + i);
                      out.flush();
                    }
                  }
                }
              })
          .start();
    }
  }
}
