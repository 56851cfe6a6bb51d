package io.ringflow.internal.graph;

import io.ringflow.core.Device;
import io.ringflow.internal.graph.FakeBackend.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Shows whether work could be captured: it goes through a capture to its end, which then is refused
 * so that results come from plain calls.
 */
public final class RefusedCaptures {
  private final FakeBackend backend = new FakeBackend();
  private final List<String> others = new ArrayList<>();
  private int captured;

  public RefusedCaptures() {
    backend.failAt(Moment.FINISH, new CaptureException("captured"));
  }

  public Replays on(Device device) {
    return new Replays(device, Optional.of(backend), this::refused);
  }

  private void refused(String reason) {
    if (reason.equals("captured")) {
      captured++;
    } else {
      others.add(reason);
    }
  }

  /** How many pieces of work went through a capture since this was last asked. */
  public int takeCaptured() {
    int count = captured;
    captured = 0;
    return count;
  }

  /** Why others did not, since this was last asked. */
  public List<String> takeReasons() {
    List<String> reasons = List.copyOf(others);
    others.clear();
    return reasons;
  }
}
