package dev.stillframe.trace.store;

import dev.stillframe.json.ObjectText;
import dev.stillframe.state.StateDelta;
import dev.stillframe.trace.NodeOptions;
import dev.stillframe.trace.NodeSpec;
import dev.stillframe.trace.SpaceOptions;
import dev.stillframe.trace.TraceError;
import dev.stillframe.trace.TraceManager;
import dev.stillframe.trace.TraceNode;
import dev.stillframe.trace.TraceSpace;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** Does anything to a trace, with any values, as a seed says. */
final class RandomTrace {
  private static final String[] PIECES = {
    "a",
    "é",
    "€",
    "\ud83d\ude00",
    "\ud83d",
    "\ude00",
    "\u2028",
    "\u0085",
    "\r\n",
    "\n",
    "\0",
    "\"",
    "\\",
    "$long",
    "{ \"sequence\":1",
    ",\"crc\":\"00000000\"}",
    "{}",
    ""
  };

  private final Random random;

  RandomTrace(long seed) {
    random = new Random(seed);
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  Object value(int depth) {
    return switch (random.nextInt(depth > 3 ? 14 : 20)) {
      case 0 -> random.nextInt();
      case 1 -> random.nextInt(10);
      case 2 -> random.nextLong();
      case 3 -> (long) random.nextInt(10);
      case 4 -> Double.longBitsToDouble(random.nextLong());
      case 5 -> Float.intBitsToFloat(random.nextInt());
      case 6 -> random.nextBoolean();
      case 7 -> new BigDecimal(BigInteger.valueOf(random.nextLong()), random.nextInt(100) - 50);
      case 8 -> BigInteger.valueOf(random.nextLong()).pow(1 + random.nextInt(3));
      case 9 -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
      case 10 -> Duration.ofNanos(random.nextLong());
      case 11 -> new UUID(random.nextLong(), random.nextLong());
      case 12 -> (char) random.nextInt(65_536);
      case 13 -> text();
      case 14 -> list(depth);
      case 15 -> map(depth);
      case 16 -> Set.copyOf(list(depth));
      case 17 -> keyed(depth);
      case 18 -> new TraceError(text(), random.nextBoolean() ? null : text());
      default -> new ObjectText(text(), text());
    };
  }

  private List<Object> list(int depth) {
    List<Object> list = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      list.add(value(depth + 1));
    }
    return list;
  }

  Map<String, Object> map(int depth) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      map.put(text(), random.nextInt(8) == 0 ? null : value(depth + 1));
    }
    return map;
  }

  private Map<Object, Object> keyed(int depth) {
    Map<Object, Object> map = new LinkedHashMap<>();
    list(depth).forEach(key -> map.put(key, new LinkedHashSet<>(list(depth))));
    return map;
  }

  /** Does so many things, as far as they are allowed. */
  void run(TraceManager trace, int steps) {
    List<TraceNode> nodes = new ArrayList<>();
    List<TraceSpace> spaces = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      if (nodes.isEmpty() || random.nextInt(4) == 0) {
        grow(trace, nodes);
      } else if (random.nextInt(3) == 0) {
        space(trace, spaces);
      } else {
        change(nodes.get(random.nextInt(nodes.size())));
      }
    }
  }

  private NodeOptions options() {
    NodeOptions options = NodeOptions.label(text()).metadata(map(0));
    options = random.nextBoolean() ? options : options.kind(text());
    options = random.nextBoolean() ? options : options.keepParentsOpen();
    return random.nextInt(3) == 0 ? options.pending() : options;
  }

  private Object valueOrNull() {
    return random.nextInt(4) == 0 ? null : value(0);
  }

  private void grow(TraceManager trace, List<TraceNode> nodes) {
    switch (nodes.isEmpty() ? 0 : random.nextInt(4)) {
      case 0 -> nodes.add(trace.add(valueOrNull(), options()));
      case 1 ->
          nodes.addAll(
              trace.parallel(
                  new NodeSpec(valueOrNull(), options()), new NodeSpec(valueOrNull(), options())));
      case 2 -> nodes.add(nodes.get(random.nextInt(nodes.size())).add(valueOrNull(), options()));
      default ->
          nodes.add(
              nodes
                  .get(random.nextInt(nodes.size()))
                  .join(List.of(nodes.get(random.nextInt(nodes.size()))), null, options()));
    }
  }

  private void change(TraceNode node) {
    switch (random.nextInt(10)) {
      case 0 -> node.start();
      case 1 -> node.setOutput(value(0));
      case 2 -> node.setMetadata(map(0));
      case 3 -> node.complete(valueOrNull());
      case 4 -> node.fail(new IllegalStateException(random.nextBoolean() ? null : text()));
      case 5 -> node.skip(random.nextBoolean() ? null : text());
      case 6 -> node.cancel(text());
      default -> node.warn(text(), list(0).toArray());
    }
  }

  private void space(TraceManager trace, List<TraceSpace> spaces) {
    if (spaces.isEmpty() || random.nextInt(5) == 0) {
      spaces.add(trace.createSpace(SpaceOptions.name(text())));
      return;
    }
    TraceSpace space = spaces.get(random.nextInt(spaces.size()));
    switch (random.nextInt(6)) {
      case 0 -> {
        space.delete();
        spaces.remove(space);
      }
      case 1 -> space.apply(StateDelta.fromMap(map(0)));
      case 2 -> space.remove(text());
      default -> space.set(text(), value(0));
    }
  }
}
