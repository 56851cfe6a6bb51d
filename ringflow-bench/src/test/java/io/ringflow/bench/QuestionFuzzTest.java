package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class QuestionFuzzTest {
  @Test
  void everyQuestionIsAnsweredOrRefused() throws IOException {
    Printed found = Printed.by(new QuestionFuzz(30_000)::print);
    for (String kind : new String[] {"probability of a condition", "completion of a file"}) {
      assertThat(found.number(kind, 4)).isPositive();
      assertThat(found.number(kind, 5)).isPositive();
    }
  }
}
