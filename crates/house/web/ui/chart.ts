// How charts are drawn: by uPlot, with values under a pointer, a finger or the keys. The element is in value_chart.ts, which brings this in when the first
// chart is on a page. Where a chart leads to moves, a click or Enter is told as `chart:go` with the move's number.
import uPlot from "uplot";
import { type ChartMeaning, type ChartPoint, isRows, logarithmicSplits, meaningOf, numberText, pointText, spanOf } from "./chart_values";
import type { ChartJson, ChartSeriesJson } from "./server";

const FONT = "12px system-ui, sans-serif";
/** Pixels of a row, and about those of a character of the axes. */
const ROW = 28, CHARACTER = 7;
/** Between two names on an axis of whole numbers. */
const WHOLE = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

function make(name: string, className: string, text = ""): HTMLElement {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

/** A chart that is drawn: it may move from one host to the next. */
export class ChartDrawing {
  readonly root = make("div", "chart");
  readonly key = make("p", "chart-key quiet");
  private readonly title = make("p", "chart-title");
  private readonly place = make("div", "chart-drawing");
  private readonly values = make("div", "chart-values");
  private readonly now = make("div", "chart-now");
  private chart: ChartJson;
  private meaning: ChartMeaning;
  private plot: uPlot | null = null;
  private width = 0;
  private at: number | null = null;
  /** The point whose values are shown. */
  private index: number | null = null;
  private isFocused = false;
  private isTouched = false;

  constructor(chart: ChartJson) {
    this.chart = chart;
    this.meaning = meaningOf(chart);
    this.values.hidden = true;
    this.values.setAttribute("aria-hidden", "true");
    this.title.setAttribute("aria-hidden", "true");
    this.root.append(this.title, this.place, this.values);
    this.place.tabIndex = 0;
    this.place.setAttribute("role", "slider");
    this.place.addEventListener("keydown", (event) => this.onKey(event));
    this.place.addEventListener("focus", () => { this.isFocused = true; });
    // What is taken off the page comes again in the same turn, if at all: then it is gone on with.
    this.place.addEventListener("blur", () => queueMicrotask(() => {
      if (!this.place.isConnected || document.activeElement === this.place) return;
      this.isFocused = false;
      this.pointNowhere();
    }));
    this.tell();
  }

  // --- what comes from outside ---

  /** Shows other values. */
  renew(chart: ChartJson): void {
    const isSame = chart.series.length === this.chart.series.length && isRows(chart) === isRows(this.chart) && chart.isLogarithmic === this.chart.isLogarithmic;
    this.chart = chart;
    this.meaning = meaningOf(chart);
    this.tell();
    const { index } = this;
    if (this.plot && isSame && !isRows(chart)) this.plot.setData(this.meaning.data);
    else this.draw();
    if (index !== null && index < this.meaning.xs.length) this.pointTo(index);
  }

  fit(width: number): void {
    if (width < 1 || Math.abs(width - this.width) < 1) return;
    this.width = width;
    if (this.plot) this.plot.setSize(this.size());
    else this.draw();
  }

  showPlace(at: number | null): void {
    this.at = at;
    const { plot } = this;
    this.now.hidden = at === null;
    if (plot && at !== null) this.now.style.transform = `translateX(${plot.valToPos(Math.min(at, this.chart.game?.end ?? at), "x").toFixed(1)}px)`;
  }

  /** Stands in another host now. */
  moveTo(host: HTMLElement): void {
    const wasFocused = this.isFocused;
    host.append(this.root, this.key);
    if (wasFocused && (!document.activeElement || document.activeElement === document.body)) this.place.focus({ preventScroll: true });
  }

  repaint(): void {
    this.plot?.redraw(false, true);
  }

  end(): void {
    this.plot?.destroy();
    this.plot = null;
  }

  // --- values ---

  private tell(): void {
    const { place, chart, meaning } = this, last = Math.max(0, meaning.xs.length - 1);
    place.setAttribute("aria-label", chart.game ? `${chart.title}. ${chart.game.hint}` : chart.title);
    place.setAttribute("aria-valuemin", "0");
    place.setAttribute("aria-valuemax", String(last));
    place.setAttribute("aria-orientation", isRows(chart) ? "vertical" : "horizontal");
    this.tellValue(Math.min(this.index ?? last, last));
    this.title.textContent = chart.title;
    this.title.hidden = chart.game !== undefined;
    this.key.replaceChildren(...meaning.names.map(({ name, sign }) => {
      const entry = make("span", "");
      entry.append(make("span", `chart-sign ${sign}`), name);
      return entry;
    }));
    this.key.hidden = !meaning.names.length;
  }

  private tellValue(index: number): void {
    const { title, lines } = pointText(this.chart, this.meaning, index);
    this.place.setAttribute("aria-valuenow", String(index));
    this.place.setAttribute("aria-valuetext", [title, ...lines.map(({ name, text }) => (name ? `${name}: ${text}` : text))].join(", "));
  }

  private showAt(index: number | null): void {
    this.index = index;
    this.values.hidden = index === null;
    const { plot } = this;
    if (index === null || !plot) return;
    this.tellValue(index);
    const { title, lines } = pointText(this.chart, this.meaning, index);
    this.values.replaceChildren(make("strong", "", title), ...lines.map(({ name, text, sign }) => {
      const line = make("p", "");
      line.append(make("span", `chart-sign ${sign}`), name ? `${name}: ${text}` : text);
      return line;
    }));
    const { offsetLeft, offsetTop } = plot.over, { left, top } = plot.cursor, free = this.width - this.values.offsetWidth;
    // Beside the pointer, where there is room.
    const beside = offsetLeft + (left ?? 0) + 14, other = beside - 28 - this.values.offsetWidth;
    this.values.style.left = `${Math.max(0, Math.min(beside > free ? other : beside, free))}px`;
    // A low chart would be hidden by its own words: they stand above it.
    const down = isRows(this.chart) ? (top ?? 0) + 8 : this.chart.game ? 6 - this.values.offsetHeight : 4;
    this.values.style.top = `${offsetTop + down}px`;
  }

  // --- hands and keys ---

  private pointTo(index: number): void {
    const { plot, meaning } = this, value = meaning.xs[index];
    if (!plot || value === undefined) return;
    const middle = plot.over.clientHeight / 2, place = plot.valToPos(value, "x");
    plot.setCursor(isRows(this.chart) ? { left: 14, top: place } : { left: place, top: middle });
  }

  private pointNowhere(): void {
    this.plot?.setCursor({ left: -10, top: -10 });
    this.showAt(null);
  }

  private go(value: number): void {
    const { game } = this.chart, { xs } = this.meaning;
    if (!game || !xs.length) return;
    const number = Math.max(xs[0], Math.min(Math.round(value), game.end));
    this.root.dispatchEvent(new CustomEvent("chart:go", { bubbles: true, detail: { number } }));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.meaning.xs.length - 1, from = this.index ?? this.placeIndex();
    const steps: Record<string, number> = { ArrowLeft: from - 1, ArrowUp: from - 1, ArrowRight: from + 1, ArrowDown: from + 1, PageUp: from - 10, PageDown: from + 10, Home: 0, End: last };
    const to = this.index === null && event.key.startsWith("Arrow") ? from : steps[event.key];
    if (event.key === "Escape") this.pointNowhere();
    else if (event.key === "Enter" || event.key === " ") this.go(this.meaning.xs[from]);
    else if (to === undefined || last < 0) return;
    else this.pointTo(Math.max(0, Math.min(to, last)));
    // The keys of the page's buttons are not meant.
    event.preventDefault();
    event.stopPropagation();
  }

  /** Where keys begin: at the place that is shown. */
  private placeIndex(): number {
    const { xs } = this.meaning, found = xs.findIndex((x) => x >= (this.at ?? Infinity));
    return found < 0 ? xs.length - 1 : found;
  }

  private listen(plot: uPlot): void {
    const { over } = plot;
    over.addEventListener("click", (event) => this.go(plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x")));
    // A finger that moves along shows values; one that moves up or down scrolls the page.
    const follow = (event: PointerEvent) => {
      this.isTouched = event.pointerType !== "mouse";
      if (!this.isTouched) return;
      const { left, top } = over.getBoundingClientRect();
      plot.setCursor({ left: event.clientX - left, top: event.clientY - top });
    };
    over.addEventListener("pointerdown", follow);
    over.addEventListener("pointermove", follow);
  }

  // --- drawing ---

  private color(name: string): string {
    return getComputedStyle(this.root).getPropertyValue(`--${name}`).trim() || "#888888";
  }

  private size(): { width: number; height: number } {
    const { width, chart } = this;
    if (isRows(chart)) return { width, height: ROW * chart.rows.length + 60 };
    const share = chart.game ? [0.3, 150, 220] : [0.55, 230, 340];
    return { width, height: Math.max(share[1], Math.min(share[2], Math.round(width * share[0]))) };
  }

  private draw(): void {
    if (!this.width) return;
    this.end();
    this.place.replaceChildren();
    const plot = new uPlot(this.options(), this.meaning.data, this.place);
    this.plot = plot;
    plot.over.append(this.now);
    this.listen(plot);
    this.showPlace(this.at);
  }

  private options(): uPlot.Options {
    const { chart } = this;
    return {
      ...this.size(),
      padding: [10, chart.series.some(({ isRight }) => isRight) ? 0 : 14, 0, 0],
      legend: { show: false },
      // Nothing is dragged: a click is a click, even where the pointer moved a little.
      cursor: { drag: { x: false, y: false, click: () => {} }, x: !isRows(chart), y: false, points: { size: 9, width: 2, fill: () => this.color("panel") }, bind: { mouseleave: (_, __, leave) => this.unlessTouched(leave) } },
      scales: this.scales(),
      axes: isRows(chart) ? this.rowAxes() : this.lineAxes(),
      series: [{}, ...(isRows(chart) ? [this.rowSeries()] : chart.series.map((series) => this.lineSeries(series)))],
      hooks: {
        setCursor: [({ cursor }) => this.showAt(cursor.idx ?? null)],
        drawAxes: [(plot) => (isRows(this.chart) ? this.drawRows(plot) : this.drawBands(plot))],
        draw: [(plot) => this.drawFaults(plot)],
        setScale: [() => this.showPlace(this.at)],
        setSize: [() => this.showPlace(this.at)],
      },
    };
  }

  /** What a finger has shown stays: a browser may say that its mouse has left. */
  private unlessTouched(leave: uPlot.Cursor.MouseListener): uPlot.Cursor.MouseListener {
    return (event) => (this.isTouched ? null : leave(event));
  }

  private scales(): uPlot.Scales {
    const distr = this.chart.isLogarithmic ? 3 : 1, range = (name: "x" | "y" | "right") => (): uPlot.Range.MinMax => spanOf(this.chart, this.meaning, name);
    if (isRows(this.chart)) return { x: { time: false, ori: 1, dir: -1, range: range("x") }, y: { ori: 0, distr, range: range("y") } };
    return { x: { time: false, distr, range: range("x") }, y: { range: range("y") }, right: { range: range("right") } };
  }

  private axis(own: uPlot.Axis): uPlot.Axis {
    const line = () => this.color("line");
    const values = (_: uPlot, splits: number[], __: number, ___: number, step: number) => splits.map((split) => numberText(split, step));
    return {
      font: FONT, labelFont: FONT, labelSize: 18, labelGap: 0, gap: 4, stroke: () => this.color("quiet"),
      grid: { stroke: line, width: 1 }, ticks: { stroke: line, size: 4, width: 1 }, values: values as uPlot.Axis["values"], ...own,
    };
  }

  /** Round places, and no others, where the axis is logarithmic. */
  private splitsOf(): Partial<uPlot.Axis> {
    if (!this.chart.isLogarithmic) return {};
    return {
      splits: (plot, _, low, high) => logarithmicSplits(low, high, Math.max(2, Math.floor(plot.over.clientWidth / 55))), filter: (_, splits) => splits,
      values: (_, splits) => splits.map((split) => split < 1e4 ? String(Number(split.toPrecision(4))) : split.toExponential(0).replace("e+", "e")),
    };
  }

  /** Moves, games and pairs are counted. */
  private areWhole(): boolean {
    return this.chart.game !== undefined || this.meaning.xs.every(Number.isInteger);
  }

  private lineAxes(): uPlot.Axis[] {
    const { chart } = this, wide = (_: uPlot, values: string[] | null) => 12 + CHARACTER * Math.max(2, ...(values ?? []).map((value) => value?.length ?? 0));
    const valuesOf = (isRight: boolean) => chart.series.find((series) => Boolean(series.isRight) === isRight);
    const upright = (isRight: boolean): uPlot.Axis => this.axis({
      scale: isRight ? "right" : "y", side: isRight ? 1 : 3, size: wide, space: 28, grid: { show: !isRight, stroke: () => this.color("line"), width: 1 },
      ...(chart.y && !isRight ? { label: chart.y } : {}),
      ...(valuesOf(isRight)?.format ? { values: (_: uPlot, splits: number[]) => splits.map((split) => spanText(valuesOf(isRight), split)) } : {}),
    });
    const across = this.axis({ scale: "x", side: 2, size: 24, space: 40, ...this.splitsOf(), ...(chart.x ? { label: chart.x } : {}), ...(this.areWhole() ? { incrs: WHOLE } : {}) });
    return [across, upright(false), ...(chart.series.some(({ isRight }) => isRight) ? [upright(true)] : [])];
  }

  private rowAxes(): uPlot.Axis[] {
    const { rows = [], x } = this.chart;
    const room = () => Math.min(this.width * 0.4, CHARACTER * Math.max(...rows.map(({ name }) => name.length)) + 16);
    const shorten = (name = "") => {
      const most = Math.floor((room() - 14) / CHARACTER);
      return name.length > most ? `${name.slice(0, most - 1)}…` : name;
    };
    const names = this.axis({ scale: "x", side: 3, size: room, grid: { show: false }, splits: () => rows.map((_, index) => index), values: (_, splits) => splits.map((index) => shorten(rows[index]?.name)) });
    return [names, this.axis({ scale: "y", side: 2, size: 24, space: 50, label: x, ...this.splitsOf() })];
  }

  private lineSeries({ color, isRight, isDashed, isArea }: ChartSeriesJson): uPlot.Series {
    const stroke = () => this.color(`chart-${color}`), { game } = this.chart;
    return {
      scale: isRight ? "right" : "y", stroke, width: 2, spanGaps: true, ...(isDashed ? { dash: [6, 4] } : {}),
      ...(isArea ? { fill: () => `${stroke()}26` } : {}), ...(game ? { points: { show: (plot: uPlot) => plot.data[0].length === 1 } } : {}),
    };
  }

  private rowSeries(): uPlot.Series {
    const stroke = () => this.color("chart-1");
    return { scale: "y", stroke, paths: () => null, points: { show: true, size: 8, stroke, fill: stroke } };
  }

  /** Levels, what lies between two, and the intervals of lines, behind them. */
  private drawBands(plot: uPlot): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const { low, high } of this.chart.bands) {
      const [bottom, top] = [low, high].map((value) => plot.valToPos(value, "y", true));
      if (high > low) this.paint(ctx, "quiet", 0.18, () => ctx.fillRect(bbox.left, top, bbox.width, bottom - top));
      else this.stroke(ctx, "quiet", [4, 4], [bbox.left, top, bbox.left + bbox.width, top]);
    }
    for (const series of this.chart.series) this.drawIntervals(plot, series);
    ctx.restore();
  }

  private drawIntervals(plot: uPlot, { points, color, isRight }: ChartSeriesJson): void {
    const { ctx } = plot, scale = isRight ? "right" : "y";
    const place = (x: number, y: number) => [plot.valToPos(x, "x", true), plot.valToPos(y, scale, true)] as const;
    const known = points.flatMap(([x, , low, high]: ChartPoint) => (low === null || low === undefined || high === null || high === undefined ? [] : [[x, low, high] as const]));
    if (known.length === 1) {
      const [[x, low, high]] = known;
      this.stroke(ctx, `chart-${color}`, [], [...place(x, low), ...place(x, high)]);
    } else if (known.length > 1) {
      const edge = [...known.map(([x, , high]) => place(x, high)), ...[...known].reverse().map(([x, low]) => place(x, low))];
      this.paint(ctx, `chart-${color}`, 0.2, () => {
        ctx.beginPath();
        for (const [x, y] of edge) ctx.lineTo(x, y);
        ctx.fill();
      });
    }
  }

  /** Intervals of rows, and what was expected. */
  private drawRows(plot: uPlot): void {
    const { ctx } = plot, half = 9 * devicePixelRatio;
    (this.chart.rows ?? []).forEach(({ interval, marks }, index) => {
      const y = plot.valToPos(index, "x", true), x = (value: number) => plot.valToPos(value, "y", true);
      for (const mark of marks) this.stroke(ctx, "quiet", [3, 3], [x(mark), y - half, x(mark), y + half]);
      if (!interval) return;
      // An end that is not finite is beyond the edge.
      const { min, max } = plot.scales.y, low = interval[0] ?? min ?? 0, high = interval[1] ?? max ?? 0;
      this.paint(ctx, "chart-1", 0.2, () => ctx.fillRect(x(low), y - half / 2, x(high) - x(low), half));
      this.stroke(ctx, "chart-1", [], [x(low), y, x(high), y]);
    });
  }

  /** Moves that are worth a look: those of lessons, or of a side. */
  private drawFaults(plot: uPlot): void {
    const { ctx } = plot, { game, series } = this.chart;
    if (!game || !series.length) return;
    const heights = new Map(series[0].points.map(([x, y]) => [x, y]));
    for (const [x, side] of game.faults) {
      const height = heights.get(x);
      if (height === undefined || height === null) continue;
      ctx.save();
      ctx.beginPath();
      ctx.arc(plot.valToPos(x, "x", true), plot.valToPos(height, "y", true), 4 * devicePixelRatio, 0, 2 * Math.PI);
      ctx.fillStyle = side === "B" ? "#111111" : side === "W" ? "#ffffff" : this.color("bad");
      ctx.fill();
      if (side) {
        ctx.strokeStyle = side === "B" ? "#d8d8d0" : "#333333";
        ctx.lineWidth = 1.5 * devicePixelRatio;
        ctx.stroke();
      }
      ctx.restore();
    }
  }

  private paint(ctx: CanvasRenderingContext2D, color: string, opacity: number, work: () => void): void {
    ctx.save();
    ctx.globalAlpha = opacity;
    ctx.fillStyle = this.color(color);
    work();
    ctx.restore();
  }

  private stroke(ctx: CanvasRenderingContext2D, color: string, dash: number[], [x1, y1, x2, y2]: readonly number[]): void {
    ctx.save();
    ctx.strokeStyle = this.color(color);
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x2, y2);
    ctx.stroke();
    ctx.restore();
  }
}

const spanText = (series: ChartSeriesJson | undefined, value: number): string =>
  series?.format === "percent" ? `${Math.round(100 * value)}%` : `${value > 0 ? "+" : ""}${value}`;
