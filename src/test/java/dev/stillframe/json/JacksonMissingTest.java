package dev.stillframe.json;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stillframe.StillframeException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;

class JacksonMissingTest {
  @Test
  void whatIsMissingIsSaid() throws Exception {
    URL ours = Json.class.getProtectionDomain().getCodeSource().getLocation();
    // No parent: that of the platform finds the modules of this test.
    try (URLClassLoader alone = new URLClassLoader(new URL[] {ours}, null)) {
      Method standard = alone.loadClass(Json.class.getName()).getMethod("standard");
      for (int i = 0; i < 2; i++) {
        assertThatExceptionOfType(InvocationTargetException.class)
            .isThrownBy(() -> standard.invoke(null))
            .havingCause()
            .matches(e -> e.getClass().getName().equals(StillframeException.class.getName()))
            .withMessageContaining("com.fasterxml.jackson.core:jackson-core");
      }
    }
  }
}
