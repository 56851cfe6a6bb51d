package io.ringflow.internal.checks;

import java.math.BigInteger;

/** Prime numbers, by whose remainders the rows of a table are shared most evenly. */
public final class Primes {
  /** Of the test: it errs once in a thousand million times. */
  private static final int CERTAINTY = 30;

  private Primes() {}

  /** The largest prime number that is not larger; 0 below 2. */
  public static int atMost(long number) {
    int prime = (int) Math.max(0, Math.min(Integer.MAX_VALUE, number));
    while (prime > 0 && !BigInteger.valueOf(prime).isProbablePrime(CERTAINTY)) {
      prime--;
    }
    return prime;
  }
}
