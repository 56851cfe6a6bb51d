package io.ringflow.cli.report;

import io.ringflow.paper.harness.Outcome.Reference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs that are one but for their seeds, which somebody spread over processes, machines of a kind
 * or days.
 */
public final class SpreadSeeds {
  private static final Pattern SEEDS = Pattern.compile(" --seed (\\d+) --seeds (\\d+)");

  private SpreadSeeds() {}

  /**
   * Makes one run of those that have the same command, version, commit and kind of machine, and
   * whose seeds follow each other. It stands where the first of them stood.
   */
  public static List<KeptRun> joined(List<KeptRun> runs) {
    Map<List<String>, List<KeptRun>> alike = new LinkedHashMap<>();
    for (KeptRun run : runs) {
      alike.computeIfAbsent(withoutSeeds(run.info()), key -> new ArrayList<>()).add(run);
    }
    return alike.values().stream().flatMap(SpreadSeeds::chains).toList();
  }

  private static List<String> withoutSeeds(RunInfo info) {
    String command = SEEDS.matcher(info.command()).replaceFirst("").replace(RunInfo.RESUMED, "");
    String machine = KeptRun.DATE.matcher(info.machine()).replaceAll("");
    return List.of(command, machine, info.ringflow(), info.commit());
  }

  private static Stream<KeptRun> chains(List<KeptRun> alike) {
    if (alike.size() == 1 || !alike.stream().allMatch(run -> seeds(run).find())) {
      return alike.stream();
    }
    List<KeptRun> chains = new ArrayList<>();
    for (KeptRun run :
        alike.stream().sorted(Comparator.comparingLong(SpreadSeeds::first)).toList()) {
      KeptRun before = chains.isEmpty() ? null : chains.get(chains.size() - 1);
      if (before != null && first(before) + count(before) == first(run)) {
        chains.set(chains.size() - 1, join(before, run));
      } else {
        chains.add(run);
      }
    }
    return chains.stream();
  }

  private static KeptRun join(KeptRun before, KeptRun after) {
    RunInfo info =
        Stream.of(before, after).max(Comparator.comparing(KeptRun::date)).orElseThrow().info();
    String seeds = " --seed " + first(before) + " --seeds " + (count(before) + count(after));
    return new KeptRun(
        new RunInfo(
            info.title(),
            SEEDS.matcher(info.command()).replaceFirst(seeds).replace(RunInfo.RESUMED, ""),
            before.info().seconds() + after.info().seconds(),
            info.machine(),
            info.ringflow(),
            info.commit()),
        Stream.of(before, after).flatMap(run -> run.results().stream()).toList(),
        before.references().stream().map(one -> joined(one, count(before), after)).toList());
  }

  /** What a reference says of all seeds together is the mean of what it says of each. */
  private static Reference joined(Reference one, long seeds, KeptRun after) {
    return after.references().stream()
        .filter(other -> other.setting().equals(one.setting()) && other.model().equals(one.model()))
        .findFirst()
        .map(
            other ->
                new Reference(
                    one.setting(),
                    one.model(),
                    mean(one.factorised(), seeds, other.factorised(), count(after)),
                    mean(one.familyOptimum(), seeds, other.familyOptimum(), count(after)),
                    one.peers()))
        .orElse(one);
  }

  private static Double mean(Double one, long seeds, Double other, long otherSeeds) {
    return one == null || other == null
        ? null
        : (one * seeds + other * otherSeeds) / (seeds + otherSeeds);
  }

  private static long first(KeptRun run) {
    return number(run, 1);
  }

  private static long count(KeptRun run) {
    return number(run, 2);
  }

  private static long number(KeptRun run, int group) {
    Matcher seeds = seeds(run);
    if (!seeds.find()) {
      throw new IllegalArgumentException("no seeds in " + run.info().command());
    }
    return Long.parseLong(seeds.group(group));
  }

  private static Matcher seeds(KeptRun run) {
    return SEEDS.matcher(run.info().command());
  }
}
