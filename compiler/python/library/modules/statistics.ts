/** The module statistics. Its errors are statistics.StatisticsError, a ValueError. */
import { type Row, row } from "../row.ts";

const of = (name: string, params: string, help: string, example: string): Row =>
  row(`statistics.${name}`, params, "Any", help, `statistics.${name}(${example}`, {
    raises: "StatisticsError",
    cost: "n",
  });

const N = "statistics.NormalDist";

const normal = (name: string, params: string, result: string, help: string, example: string): Row =>
  row(N + name, params, result, help, `${N}${example}`, { raises: "StatisticsError", cost: "n" });

export const STATISTICS: readonly Row[] = [
  of("mean", "data", "the average", "[1, 2]) == 1.5"),
  of("fmean", "data, weights=None", "the average as a float", "[1, 2]) == 1.5"),
  of("geometric_mean", "data", "the geometric mean", "[1, 1]) == 1.0"),
  of("harmonic_mean", "data, weights=None", "the harmonic mean", "[1, 1]) == 1.0"),
  of("median", "data", "the middle value", "[1, 3, 2]) == 2"),
  of("median_low", "data", "the lower middle value", "[1, 2]) == 1"),
  of("median_high", "data", "the higher middle value", "[1, 2]) == 2"),
  of("median_grouped", "data, interval=1.0", "the median of grouped values", "[1, 2, 2]) == 1.75"),
  of("mode", "data", "the most common value", "[1, 1, 2]) == 1"),
  of("multimode", "data", "all most common values", "[1, 2]) == [1, 2]"),
  of("quantiles", "data, *, n=4, method='exclusive'", "cut points between parts of one size", "[1, 2], n=2) == [1.5]"),
  of("variance", "data, xbar=None", "the variance of a sample", "[1, 2]) == 0.5"),
  of("pvariance", "data, mu=None", "the variance of a population", "[1, 2]) == 0.25"),
  of("stdev", "data, xbar=None", "the standard deviation of a sample", "[1, 1]) == 0.0"),
  of("pstdev", "data, mu=None", "the standard deviation of a population", "[1, 1]) == 0.0"),
  of("covariance", "x, y, /", "the covariance of two samples", "[1, 2], [1, 2]) == 0.5"),
  of(
    "linear_regression",
    "x, y, /, *, proportional=False",
    "the line through two samples",
    "[1, 2], [3, 5]) == (2.0, 1.0)",
  ),
  of("correlation", "x, y, /", "the correlation of two samples", "[1, 2], [1, 2]) == 1.0"),
  normal("", "mu=0.0, sigma=1.0", N, "a normal distribution", "(1).mean == 1.0"),
  normal(".from_samples", "data", N, "of a sample", ".from_samples([1, 1]).stdev == 0.0"),
  normal(".pdf", "self, x", "float", "its density", "().pdf(99) == 0.0"),
  normal(".cdf", "self, x", "float", "how probable values up to x are", "().cdf(0) == 0.5"),
  normal(".inv_cdf", "self, p", "float", "the inverse of cdf", "().inv_cdf(0.5) == 0.0"),
  normal(".quantiles", "self, n=4", "list[float]", "cut points", "().quantiles(2) == [0.0]"),
  normal(".overlap", "self, other", "float", "what two have in common", `().overlap(${N}()) == 1.0`),
  normal(".zscore", "self, x", "float", "the distance in deviations", "(2, 2).zscore(4) == 1.0"),
];
