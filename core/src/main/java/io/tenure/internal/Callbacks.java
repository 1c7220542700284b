package io.tenure.internal;

import java.util.concurrent.Executor;

/** Where results complete, and what to end with the {@code Tenure}. */
public record Callbacks(Executor executor, Runnable closing) {
  void close() {
    closing.run();
  }
}
