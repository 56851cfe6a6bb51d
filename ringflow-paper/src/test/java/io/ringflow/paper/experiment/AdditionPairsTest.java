package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.train.Batch;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class AdditionPairsTest {
  @Test
  void sumsAreThoseOfArithmetic() {
    Batch pairs = AdditionPairs.sample(20, 500, new SplittableRandom(1));
    BigInteger modulus = BigInteger.TEN.pow(20);
    for (int i = 0; i < 500; i++) {
      BigInteger first = number(Arrays.copyOfRange(pairs.condition()[i], 0, 20));
      BigInteger second = number(Arrays.copyOfRange(pairs.condition()[i], 20, 40));
      assertThat(number(pairs.rows()[i])).isEqualTo(first.add(second).mod(modulus));
    }
  }

  @Test
  void theLastCarryIsDropped() {
    assertThat(AdditionPairs.sum(new int[] {9, 9, 0, 2})).containsExactly(0, 1);
  }

  @Test
  void numbersAreTurnedAroundOneByOne() {
    Batch pairs = new Batch(new int[][] {{5, 7, 9}}, new int[][] {{1, 2, 3, 4, 5, 6}});
    Batch turned = AdditionPairs.leastSignificantFirst(pairs);
    assertThat(turned.condition()[0]).containsExactly(3, 2, 1, 6, 5, 4);
    assertThat(turned.rows()[0]).as("the sum stays as it is").containsExactly(5, 7, 9);
    assertThat(pairs.condition()[0]).as("so does what was given").containsExactly(1, 2, 3, 4, 5, 6);
  }

  @Test
  void answersReadAsArithmetic() {
    int[] numbers = {1, 8, 9, 4};
    assertThat(AdditionPairs.describe(numbers, new int[] {1, 2}, new int[] {1, 2}))
        .isEqualTo("18 + 94 = 12  right");
    assertThat(AdditionPairs.describe(numbers, new int[] {1, 2}, new int[] {0, 2}))
        .isEqualTo("18 + 94 = 12  answered 02");
  }

  private static BigInteger number(int[] digits) {
    return new BigInteger(
        Arrays.stream(digits).mapToObj(Integer::toString).collect(Collectors.joining()));
  }
}
