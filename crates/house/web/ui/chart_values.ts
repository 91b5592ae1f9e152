// What a chart says, without its drawing: values in the order of their places, axes, and words.
import type { AlignedData, Range } from "uplot";
import type { ChartJson, ChartSeriesJson } from "./server";

export type ChartPoint = ChartSeriesJson["points"][number];

/** A chart of rows: values with intervals, one below the other. */
export const isRows = (chart: ChartJson): chart is ChartJson & { readonly rows: NonNullable<ChartJson["rows"]> } => chart.rows !== undefined;

export interface ChartMeaning {
  /** Places from left to right, or numbers of rows. */
  readonly xs: readonly number[];
  readonly data: AlignedData;
  /** Of each line: its points by their places. */
  readonly points: readonly ReadonlyMap<number, ChartPoint>[];
  /** Names for the key, with the classes of their signs. */
  readonly names: readonly { readonly name: string; readonly sign: string }[];
}

const isNumber = (value: number | null | undefined): value is number => value !== null && value !== undefined;

const signOf = ({ color, isDashed }: ChartSeriesJson): string => `c${color}${isDashed ? " dashed" : ""}`;

export function meaningOf(chart: ChartJson): ChartMeaning {
  const { series, bands } = chart;
  if (isRows(chart)) {
    const xs = chart.rows.map((_, index) => index);
    return { xs, data: [xs, chart.rows.map(({ value }) => value)], points: [], names: [] };
  }
  const points = series.map((line) => new Map(line.points.map((point) => [point[0], point] as const)));
  const xs = [...new Set(points.flatMap((line) => [...line.keys()]))].sort((a, b) => a - b);
  const columns = points.map((line) => xs.map((x) => line.get(x)?.[1] ?? null));
  const named = bands.filter(({ name }) => name).map(({ name, low, high }) => ({ name, sign: high > low ? "band" : "level" }));
  const lines = series.length > 1 || named.length || chart.game ? series.filter(({ name }) => name).map((line) => ({ name: line.name, sign: signOf(line) })) : [];
  return { xs, data: [xs, ...columns], points, names: [...lines, ...named] };
}

/** A number on an axis whose numbers are so far apart. */
export function numberText(value: number | null, step: number): string {
  if (value === null) return "";
  const decimals = String(Number(step.toPrecision(6))).split(/[.e-]+/);
  const count = /e-/.test(String(step)) ? 9 : step < 1 || step % 1 ? decimals[1]?.length ?? 0 : 0;
  return value.toFixed(Math.min(9, count)).replace(/^-(0(\.0*)?)$/, "$1");
}

const plainText = (value: number): string => String(Number(value.toPrecision(4)));
const endText = (value: number | null, infinite: string): string => (value === null ? infinite : plainText(value));

/** A value as people read it. */
export function valueText(format: ChartSeriesJson["format"], value: number): string {
  if (format === "percent") return `${(100 * value).toFixed(0)} %`;
  if (format === "signed") return `${value < 0 ? "" : "+"}${Number(value.toFixed(1))}`;
  return plainText(value);
}

const withInterval = (text: string, interval: readonly string[]): string => (interval.length ? `${text} (${interval.join(" – ")})` : text);

export interface PointText {
  readonly title: string;
  readonly lines: readonly { readonly name: string; readonly text: string; readonly sign: string }[];
}

/** What stands at a place: its name, and the values there. */
export function pointText(chart: ChartJson, { xs, points }: ChartMeaning, index: number): PointText {
  if (isRows(chart)) {
    const row = chart.rows[index];
    if (!row) return { title: "", lines: [] };
    return { title: row.name, lines: [{ name: chart.x, text: withInterval(endText(row.value, "–"), row.interval ? [endText(row.interval[0], "-∞"), endText(row.interval[1], "∞")] : []), sign: "c1" }] };
  }
  const x = xs[index];
  if (x === undefined) return { title: "", lines: [] };
  const lines = chart.series.flatMap((line, number) => {
    const [, y, low, high] = points[number].get(x) ?? [];
    if (!isNumber(y)) return [];
    const interval = isNumber(low) && isNumber(high) ? [low, high].map((value) => valueText(line.format, value)) : [];
    return [{ name: line.name || chart.y, text: withInterval(valueText(line.format, y), interval), sign: signOf(line) }];
  });
  return { title: chart.game ? `${x}. ${chart.game.names[x - 1] ?? ""}` : `${chart.x} ${plainText(x)}`, lines };
}

/** From where to where an axis goes. */
export function spanOf(chart: ChartJson, { xs }: ChartMeaning, axis: "x" | "y" | "right"): Range.MinMax {
  if (axis === "x") {
    if (isRows(chart)) return [-0.6, xs.length - 0.4];
    return chart.game ? [0, Math.max(1, chart.game.end)] : spread(xs, chart.isLogarithmic ?? false);
  }
  const lines = chart.series.filter(({ isRight }) => Boolean(isRight) === (axis === "right")), given = lines.find(({ range }) => range)?.range;
  if (given) return [given[0], given[1]];
  if (isRows(chart)) {
    const values = chart.rows.flatMap(({ value, interval, marks }) => [value, ...(interval ?? []), ...marks]);
    return spread(values, chart.isLogarithmic ?? false);
  }
  return spread([...lines.flatMap(({ points }) => points.flatMap(([, ...ys]) => ys)), ...chart.bands.flatMap(({ low, high }) => [low, high])], false);
}

/** Round places of a logarithmic axis: powers of ten, and what lies between where there is room for `most`. */
export function logarithmicSplits(low: number, high: number, most: number): number[] {
  const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high));
  const all = (steps: readonly number[]) => Array.from({ length: last - first + 1 }, (_, n) => steps.map((step) => step * 10 ** (first + n))).flat().filter((value) => value >= low && value <= high);
  return [[1, 2, 5], [1, 3], [1]].map(all).find((splits) => splits.length <= most) ?? all([1]).filter((_, n, { length }) => n % Math.ceil(length / most) === 0);
}

/** Room for all values, with some to spare. */
function spread(values: readonly (number | null | undefined)[], isLogarithmic: boolean): Range.MinMax {
  const known = values.filter(isNumber), place = (value: number) => (isLogarithmic ? Math.log10(value) : value), back = (value: number) => (isLogarithmic ? 10 ** value : value);
  if (!known.length) return isLogarithmic ? [1, 10] : [0, 1];
  const low = place(Math.min(...known)), high = place(Math.max(...known)), spare = high > low ? (high - low) * 0.05 : Math.max(1, Math.abs(high)) * 0.1;
  return [back(low - spare), back(high + spare)];
}
