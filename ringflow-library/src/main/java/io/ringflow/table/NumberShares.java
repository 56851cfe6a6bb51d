package io.ringflow.table;

import io.ringflow.table.TableColumn.Bins;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

/**
 * How likely a number is given its bin, over all numbers that fall into it.
 *
 * <p>Between the smallest and the largest training number of a bin it is as likely as {@link
 * BinGrid} says. Where new values are reserved a probability for, so are numbers that no sample is:
 *
 * <ul>
 *   <li>Behind the largest number of a bin and before the next bin, evenly; and beyond all of
 *       training. Each such stretch is as likely as any other between two neighbours of a bin's
 *       sorted rows (Hill's rule), {@code 1 / (n + 2)} of n rows.
 *   <li>Beyond training's range, of a width w, a number at the distance d has the share {@code w /
 *       ((w + d - 1) (w + d))}. These sum to one, and half of it is within another width.
 *   <li>With more decimals than training has, {@code 1 / (N + 2)} of the column's N rows: half of
 *       that for one more, a quarter for two, evenly among such numbers of the unit below.
 * </ul>
 */
final class NumberShares {
  private final Bins column;
  private final List<BinGrid> grids;
  private final BigInteger width; // of training's range, in units
  private final double finer; // the share of numbers with more decimals

  NumberShares(Bins column) {
    this.column = column;
    grids = column.bins().stream().map(bin -> new BinGrid(column, bin)).toList();
    width = last(grids.size() - 1).subtract(first(0)).add(BigInteger.ONE);
    finer = 1.0 / (column.rows() - column.missing().total() + 2);
  }

  private BigInteger first(int bin) {
    return grids.get(bin).first();
  }

  private BigInteger last(int bin) {
    return grids.get(bin).last();
  }

  /** The log-probability of a number of a bin. */
  double logProb(BigDecimal number, int bin, NewValues newValues) {
    BigDecimal shortest = number.stripTrailingZeros();
    int more = Math.max(0, shortest.scale() - column.maxDecimals());
    BigInteger units = shortest.setScale(column.maxDecimals(), RoundingMode.FLOOR).unscaledValue();
    boolean seen = units.compareTo(first(bin)) >= 0 && units.compareTo(last(bin)) <= 0;
    if (newValues == NewValues.IMPOSSIBLE) {
      return seen && more == 0 ? grids.get(bin).logProb(units) : Double.NEGATIVE_INFINITY;
    }
    double nats = seen ? Math.log(inside(bin)) + grids.get(bin).logProb(units) : beyond(units, bin);
    // Of numbers with so many more decimals, the last of them not 0, a unit has 9 * 10^(more - 1).
    return more == 0
        ? nats + Math.log1p(-finer)
        : nats + Math.log(finer) - more * Math.log(2) - Math.log(9) - (more - 1) * Math.log(10);
  }

  /** The share of a bin's numbers from its smallest to its largest. */
  private double inside(int bin) {
    int stretches = (bin == 0 ? 1 : 0) + (isOpenAbove(bin) ? 1 : 0);
    return 1 - stretches * stretch(bin);
  }

  private double stretch(int bin) {
    return 1.0 / (column.bins().get(bin).count() + 2.0);
  }

  /** Whether there are numbers behind a bin's largest that fall into it. */
  private boolean isOpenAbove(int bin) {
    return bin == grids.size() - 1 || gap(bin).signum() > 0;
  }

  /** How many numbers lie between a bin and the next. */
  private BigInteger gap(int bin) {
    return first(bin + 1).subtract(last(bin)).subtract(BigInteger.ONE);
  }

  private double beyond(BigInteger units, int bin) {
    double reserved = Math.log(stretch(bin));
    boolean below = units.compareTo(first(bin)) < 0;
    if (!below && bin < grids.size() - 1) {
      return reserved - BinGrid.log(gap(bin));
    }
    BigInteger distance = below ? first(bin).subtract(units) : units.subtract(last(bin));
    BigInteger reach = width.add(distance);
    return reserved
        + BinGrid.log(width)
        - BinGrid.log(reach)
        - BinGrid.log(reach.subtract(BigInteger.ONE));
  }
}
