package dev.stillframe.session.store;

import dev.stillframe.json.Json;
import java.time.Clock;
import java.util.Objects;

/** Options of a service that keeps its sessions outside of this process. */
public final class StoreOptions {
  final Clock clock;
  final Json json;

  private StoreOptions(Builder builder) {
    clock = builder.clock;
    json = builder.json;
  }

  /**
   * Starts options with the defaults.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects options. A builder belongs to one thread; it may be reused. */
  public static final class Builder {
    private Clock clock = Clock.systemUTC();
    private Json json = Json.standard();

    private Builder() {}

    /**
     * Gives the clock that says when sessions are created and changed; what it says is kept to the
     * microsecond. Default: the system's.
     *
     * @param clock the clock; it may be called by any thread
     * @return this
     */
    public Builder clock(Clock clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Says how values look. All services that share sessions must agree on it. Default: {@link
     * Json#standard()}.
     *
     * @param json the rules
     * @return this
     */
    public Builder json(Json json) {
      this.json = Objects.requireNonNull(json, "json");
      return this;
    }

    /**
     * Creates the options.
     *
     * @return the options as they are now
     */
    public StoreOptions build() {
      return new StoreOptions(this);
    }
  }
}
