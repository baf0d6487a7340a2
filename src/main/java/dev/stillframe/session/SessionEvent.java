package dev.stillframe.session;

import dev.stillframe.state.StateDelta;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in a session, and what it changed. It is immutable: content, metadata and
 * delta are copied, deeply, as they are put in (see {@link dev.stillframe.state.SessionState}), and
 * arrays as they are read.
 *
 * <pre>{@code
 * SessionEvent event = SessionEvent.builder("planner")
 *     .content(Map.of("text", "Leave at nine"))
 *     .delta(StateDelta.builder().set("from", 900).set("user:last", "planner").build())
 *     .build();
 * }</pre>
 *
 * <p>Two events are equal if all that they hold is, the sequence number included.
 */
public final class SessionEvent {
  private final String id;
  private final String author;
  private final @Nullable String invocationId;
  private final Instant instant;
  private final @Nullable Object content;
  private final Map<String, @Nullable Object> metadata;
  private final boolean partial;
  private final StateDelta delta;
  private final long sequence;

  private SessionEvent(Builder builder, StateDelta delta, long sequence) {
    id = builder.id == null ? RandomIds.next() : builder.id;
    author = builder.author;
    invocationId = builder.invocationId;
    instant = builder.instant == null ? Instant.now() : builder.instant;
    content = builder.content;
    metadata = builder.metadata;
    partial = builder.partial;
    this.delta = delta;
    this.sequence = sequence;
  }

  private SessionEvent(SessionEvent event, StateDelta delta, long sequence) {
    id = event.id;
    author = event.author;
    invocationId = event.invocationId;
    instant = event.instant;
    content = event.content;
    metadata = event.metadata;
    partial = event.partial;
    this.delta = delta;
    this.sequence = sequence;
  }

  /**
   * Starts an event.
   *
   * @param author who it comes from: {@code "user"}, the name of an agent, of a tool
   * @return a new builder
   */
  public static Builder builder(String author) {
    return new Builder(author);
  }

  /**
   * Returns this event as a service stores it. For implementations of {@link SessionService}.
   *
   * @param delta what is stored of its delta
   * @param sequence its place in the session, positive
   * @return a copy that differs in these two
   */
  public SessionEvent stored(StateDelta delta, long sequence) {
    return new SessionEvent(this, Objects.requireNonNull(delta, "delta"), sequence);
  }

  /**
   * Returns the id, by which a session knows the event again.
   *
   * @return the id
   */
  public String id() {
    return id;
  }

  /**
   * Returns who the event comes from.
   *
   * @return the author
   */
  public String author() {
    return author;
  }

  /**
   * Returns the run of the agent that the event belongs to.
   *
   * @return the invocation, or null if none was given
   */
  public @Nullable String invocationId() {
    return invocationId;
  }

  /**
   * Returns the time that the event was given. It decides nothing; the order of events is that of
   * their {@link #sequence()}.
   *
   * @return the instant
   */
  public Instant instant() {
    return instant;
  }

  /**
   * Returns the content.
   *
   * @return the content, or null if there is none
   */
  public @Nullable Object content() {
    return Content.toCaller(content);
  }

  /**
   * Returns what else is known of the event.
   *
   * @return values by name, unmodifiable
   */
  public Map<String, @Nullable Object> metadata() {
    return metadata;
  }

  /**
   * Tells whether this is a piece of an event that is still being streamed. Appending it changes
   * nothing.
   *
   * @return true if it is partial
   */
  public boolean isPartial() {
    return partial;
  }

  /**
   * Returns the changes to the session's state that take effect with this event. A stored event has
   * no {@code temp:} keys.
   *
   * @return the changes
   */
  public StateDelta delta() {
    return delta;
  }

  /**
   * Returns the place of this event in its session, as the service assigned it: higher ones come
   * later, and none is given twice in a session. There may be gaps.
   *
   * @return the number, positive, or 0 if this event is not stored
   */
  public long sequence() {
    return sequence;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SessionEvent that
        && sequence == that.sequence
        && partial == that.partial
        && id.equals(that.id)
        && author.equals(that.author)
        && Objects.equals(invocationId, that.invocationId)
        && instant.equals(that.instant)
        && Objects.deepEquals(content, that.content)
        && metadata.equals(that.metadata)
        && delta.equals(that.delta);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, sequence);
  }

  @Override
  public String toString() {
    return "SessionEvent[" + sequence + ", " + id + ", " + author + ", " + delta + "]";
  }

  /** Collects what an event holds. A builder belongs to one thread; it may be reused. */
  public static final class Builder {
    private final String author;
    private @Nullable String id;
    private @Nullable String invocationId;
    private @Nullable Instant instant;
    private @Nullable Object content;
    private Map<String, @Nullable Object> metadata = Map.of();
    private boolean partial;
    private StateDelta delta = StateDelta.empty();

    private Builder(String author) {
      this.author = Objects.requireNonNull(author, "author");
    }

    /**
     * Gives the id. Default: a random UUID for each event that is built.
     *
     * @param id the id: not empty, at most {@link SessionId#MAX_LENGTH} characters, well-formed
     * @return this
     * @throws IllegalArgumentException if it is none
     */
    public Builder id(String id) {
      this.id = SessionId.requireText("id of a session event", id);
      return this;
    }

    /**
     * Gives the run of the agent that the event belongs to. Default: none.
     *
     * @param invocationId the invocation
     * @return this
     */
    public Builder invocationId(String invocationId) {
      this.invocationId = Objects.requireNonNull(invocationId, "invocationId");
      return this;
    }

    /**
     * Gives the time. Services keep it to the microsecond at least. Default: when it is built.
     *
     * @param instant the instant
     * @return this
     */
    public Builder instant(Instant instant) {
      this.instant = Objects.requireNonNull(instant, "instant");
      return this;
    }

    /**
     * Gives the content. Default: none.
     *
     * @param content any value that a state may hold
     * @return this
     * @throws IllegalArgumentException if it is nested too deeply
     */
    public Builder content(Object content) {
      this.content = Content.copy("content", Objects.requireNonNull(content, "content"));
      return this;
    }

    /**
     * Gives what else is known of the event. Default: nothing.
     *
     * @param metadata values by name
     * @return this
     * @throws IllegalArgumentException if it is nested too deeply
     */
    public Builder metadata(Map<String, ? extends @Nullable Object> metadata) {
      this.metadata = Content.copyMap("metadata", metadata);
      return this;
    }

    /**
     * Says whether this is a piece of an event that is still being streamed. Default: false.
     *
     * @param partial whether it is
     * @return this
     */
    public Builder partial(boolean partial) {
      this.partial = partial;
      return this;
    }

    /**
     * Gives the changes to the session's state. Default: none.
     *
     * @param delta the changes
     * @return this
     */
    public Builder delta(StateDelta delta) {
      this.delta = Objects.requireNonNull(delta, "delta");
      return this;
    }

    /**
     * Creates the event.
     *
     * @return a new event, not stored
     */
    public SessionEvent build() {
      return new SessionEvent(this, delta, 0);
    }
  }
}
