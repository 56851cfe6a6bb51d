package io.ringflow.infer;

/** The chest clinic of Lauritzen and Spiegelhalter (1988), as a file and as a formula. */
final class Asia {
  static final String BIF =
      """
      // Local computations with probabilities on graphical structures
      network asia {
        property "author = Lauritzen; Spiegelhalter" ;
        property year = 1988;
      }
      variable asia { type discrete [ 2 ] { yes, no }; }
      variable tub { type discrete [ 2 ] { yes, no }; property position = (73, 165); }
      variable smoke { type discrete [ 2 ] { yes, no }; }
      variable lung { type discrete [ 2 ] { yes, no }; }
      variable bronc { type discrete [ 2 ] { yes, no }; }
      variable either { type discrete [ 2 ] { yes, no }; }
      variable xray { type discrete [ 2 ] { yes, no }; }
      variable dysp { type discrete [ 2 ] { yes, no }; }
      probability ( asia ) { table 0.01, 0.99; }
      probability ( tub | asia ) {
        (yes) 0.05, 0.95;
        (no) 0.01, 0.99;
      }
      probability ( smoke ) { table 0.5, 0.5; }
      probability ( lung | smoke ) {
        (yes) 0.1, 0.9;
        (no) 0.01, 0.99;
      }
      probability ( bronc | smoke ) {
        (yes) 0.6, 0.4;
        (no) 0.3, 0.7;
      }
      /* a logical
         or */
      probability ( either | lung, tub ) {
        (no, no) 0.0, 1.0;
        default 1.0, 0.0;
      }
      probability ( xray | either ) {
        (yes) 0.98, 0.02;
        (no) 0.05, 0.95;
      }
      probability ( dysp | bronc, either ) {
        (yes, yes) 0.9, 0.1;
        (no, yes) 0.7, 0.3;
        (yes, no) 0.8, 0.2;
        (no, no) 0.1, 0.9;
      }
      """;

  private Asia() {}

  /** The probability of a row, whose symbol 0 is yes. */
  static double probability(int[] row) {
    boolean asia = row[0] == 0;
    boolean tub = row[1] == 0;
    boolean smoke = row[2] == 0;
    boolean lung = row[3] == 0;
    boolean bronc = row[4] == 0;
    boolean either = row[5] == 0;
    boolean xray = row[6] == 0;
    boolean dysp = row[7] == 0;
    if (either != (tub || lung)) {
      return 0;
    }
    double breathless = bronc ? (either ? 0.9 : 0.8) : (either ? 0.7 : 0.1);
    return of(0.01, asia)
        * of(asia ? 0.05 : 0.01, tub)
        * of(0.5, smoke)
        * of(smoke ? 0.1 : 0.01, lung)
        * of(smoke ? 0.6 : 0.3, bronc)
        * of(either ? 0.98 : 0.05, xray)
        * of(breathless, dysp);
  }

  private static double of(double yes, boolean value) {
    return value ? yes : 1 - yes;
  }
}
