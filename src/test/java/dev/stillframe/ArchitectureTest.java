package dev.stillframe;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.stillframe.state.SessionState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the packages may use, and what is public. */
class ArchitectureTest {
  private static final String ROOT = "dev.stillframe";
  private static final String JACKSON = "com.fasterxml.jackson..";
  private static final String JDBC = "javax.sql..";

  /**
   * What each package may use beside the JDK, JSpecify and the root package: what is listed here,
   * and what that may use in turn. A package that is not listed may not exist.
   */
  private static final Map<String, List<String>> MAY_USE =
      new TreeMap<>(
          Map.of(
              "state", List.of(),
              "session", List.of("state"),
              "trace", List.of("state"),
              "json", List.of("state", JACKSON),
              "session.store", List.of("session", "json", JDBC),
              "trace.store", List.of("trace", "json")));

  /** All that a user names. Everything else in the package is package-private. */
  private static final Map<String, Set<String>> PUBLIC =
      Map.of(
          "json",
          Set.of("Json", "JsonException", "JsonStreams", "ObjectText"),
          "state",
          Set.of(
              "MissingStateKeyException",
              "SessionState",
              "StateConflictException",
              "StateDelta",
              "StateDraft",
              "StateFamily",
              "StateKey",
              "StateSnapshot",
              "WriteGate"),
          "session",
          Set.of(
              "AppendResult",
              "EventFilter",
              "InMemoryOptions",
              "PageRequest",
              "Session",
              "SessionAlreadyExistsException",
              "SessionConflictException",
              "SessionEvent",
              "SessionEventNotFoundException",
              "SessionId",
              "SessionInfo",
              "SessionNotFoundException",
              "SessionPage",
              "SessionService",
              "SessionServiceClosedException",
              "SessionSnapshot",
              "SessionStats",
              "SessionTooLargeException"),
          "session.store",
          Set.of("JdbcSessions", "MapSessions", "SessionStoreException", "StoreOptions"),
          "trace",
          Set.of(
              "Branch",
              "BranchBody",
              "BranchContext",
              "BranchException",
              "BranchOptions",
              "BranchResult",
              "LogEntry",
              "LogLevel",
              "NodeBody",
              "NodeOptions",
              "NodeSnapshot",
              "NodeSpec",
              "NodeStatus",
              "Redactor",
              "SpaceOptions",
              "SpaceSnapshot",
              "StoreHealth",
              "StoreReport",
              "StoredTrace",
              "TraceClosedException",
              "TraceError",
              "TraceEvent",
              "TraceFold",
              "TraceFullException",
              "TraceInUseException",
              "TraceManager",
              "TraceNode",
              "TraceOptions",
              "TraceRegistry",
              "TraceSnapshot",
              "TraceSpace",
              "TraceStats",
              "TraceStatus",
              "TraceStore",
              "TraceSubscription",
              "TraceViews"),
          "trace.store",
          Set.of("Durability", "EventJson", "FileTraceStore"));

  /** The classes that are shipped, wherever those of the tests are. */
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .importUrl(SessionState.class.getProtectionDomain().getCodeSource().getLocation());

  private static Stream<String> packages() {
    return MAY_USE.keySet().stream();
  }

  private static Stream<String> packagesWithAListOfPublicClasses() {
    return PUBLIC.keySet().stream();
  }

  private static Set<String> closure(String name) {
    Set<String> all = new TreeSet<>(Set.of(name));
    for (String used : MAY_USE.getOrDefault(name, List.of())) {
      all.addAll(closure(used));
    }
    return all;
  }

  private static String[] allowed(Set<String> used) {
    return Stream.concat(
            Stream.of("java..", "org.jspecify.annotations", ROOT),
            used.stream().map(name -> name.endsWith("..") ? name : ROOT + "." + name))
        .toArray(String[]::new);
  }

  @ParameterizedTest
  @MethodSource("packages")
  void packageUsesOnlyWhatItMay(String name) {
    classes()
        .that()
        .resideInAPackage(ROOT + "." + name)
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(allowed(closure(name))))
        .allowEmptyShould(true)
        .check(MAIN);
  }

  @Test
  void rootUsesNothingOfOurs() {
    classes()
        .that()
        .resideInAPackage(ROOT)
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(allowed(Set.of())))
        .check(MAIN);
  }

  @Test
  void everyPackageIsListed() {
    Set<String> expected =
        MAY_USE.keySet().stream().map(name -> ROOT + "." + name).collect(Collectors.toSet());
    expected.add(ROOT);

    assertThat(MAIN.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
        .contains(ROOT + ".state")
        .isSubsetOf(expected);
  }

  @Test
  void packagesAreFreeOfCycles() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(MAIN);
  }

  @ParameterizedTest
  @MethodSource("packagesWithAListOfPublicClasses")
  void publicIsOnlyWhatAUserNames(String name) {
    Set<String> open =
        MAIN.stream()
            .filter(c -> c.getPackageName().equals(ROOT + "." + name))
            .filter(c -> c.isTopLevelClass() && !c.getSimpleName().equals("package-info"))
            .filter(c -> c.getModifiers().contains(JavaModifier.PUBLIC))
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(open).isEqualTo(PUBLIC.get(name));
  }

  @Test
  void ourExceptionsHaveOneRoot() {
    classes()
        .that()
        .areAssignableTo(Throwable.class)
        .should()
        .beAssignableTo(StillframeException.class)
        .check(MAIN);
  }

  @Test
  void nothingIsPrinted() {
    noClasses().should(ACCESS_STANDARD_STREAMS).check(MAIN);
  }

  @Test
  void stateHasNoLocksOfTheJdk() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".state")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.util\\.concurrent\\.locks\\..*Lock")
        .check(MAIN);
  }
}
