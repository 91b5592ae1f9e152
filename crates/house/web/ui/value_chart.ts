// The element of a chart: <value-chart data-chart="JSON"> has a picture of the server inside, for who has no script and for screen readers. What draws
// the same so that its values can be read (chart.ts, with uPlot) comes when the first chart is on the page: most pages have none. A chart that comes
// anew under its title goes on in its old drawing, so that it grows under the pointer. data-at is the place shown.
import type { ChartDrawing } from "./chart";
import type { ChartJson } from "./server";

const hosts = new Set<ValueChart>();

type DrawingClass = typeof ChartDrawing;
let drawingClass: DrawingClass | null = null;
let coming: Promise<void> | null = null;

/** Gives what draws charts to a page that has it at hand: nothing is fetched then. */
export function setChartDrawing(found: DrawingClass): void {
  drawingClass = found;
}

/** Brings what draws charts from <body data-charts="ADDRESS">. If it cannot be had, the pictures of the server stay, and the next chart asks again. */
function fetchDrawing(): Promise<void> {
  coming ??= (import(document.body.dataset.charts ?? "") as Promise<{ ChartDrawing: DrawingClass }>)
    .then((found) => setChartDrawing(found.ChartDrawing), () => { coming = null; });
  return coming;
}

/** The element of a chart. */
export class ValueChart extends HTMLElement {
  static readonly observedAttributes = ["data-at", "data-chart"];
  private drawing: ChartDrawing | null = null;
  private chart: ChartJson | null = null;
  private readonly sizes = new ResizeObserver(() => this.drawing?.fit(this.clientWidth));

  connectedCallback(): void {
    hosts.add(this);
    this.sizes.observe(this);
    // What it replaces leaves the page in the same turn.
    queueMicrotask(() => this.begin());
  }

  disconnectedCallback(): void {
    this.sizes.disconnect();
    setTimeout(() => { if (!this.isConnected) this.leave()?.end(); });
  }

  attributeChangedCallback(name: string): void {
    if (name === "data-at") this.drawing?.showPlace(this.at());
    else if (this.drawing) this.show(JSON.parse(this.dataset.chart ?? "") as ChartJson);
  }

  /** Draws these values. */
  show(chart: ChartJson): void {
    this.chart = chart;
    this.begin();
    this.drawing?.renew(chart);
    this.drawing?.showPlace(this.at());
  }

  repaint(): void {
    this.drawing?.repaint();
  }

  private at(): number | null {
    return this.dataset.at === undefined ? null : Number(this.dataset.at);
  }

  private begin(): void {
    if (this.drawing || !this.isConnected) return;
    if (!drawingClass) {
      void fetchDrawing().then(() => { if (drawingClass) this.begin(); });
      return;
    }
    if (!this.chart && this.dataset.chart) this.chart = JSON.parse(this.dataset.chart) as ChartJson;
    const { chart } = this;
    if (!chart) return;
    const old = [...hosts].find((host) => host !== this && !host.isConnected && host.chart?.title === chart.title)?.leave();
    this.drawing = old ?? new drawingClass(chart);
    this.drawing.moveTo(this);
    this.classList.add("drawn");
    if (old) old.renew(chart);
    this.drawing.fit(this.clientWidth);
    this.drawing.showPlace(this.at());
  }

  /** Gives the drawing away. */
  private leave(): ChartDrawing | null {
    const { drawing } = this;
    this.drawing = null;
    hosts.delete(this);
    return drawing;
  }
}
customElements.define("value-chart", ValueChart);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => hosts.forEach((host) => host.repaint()));

declare global {
  interface DocumentEventMap {
    "chart:go": CustomEvent<{ number: number }>;
  }
}

/** Hears where a chart leads to. */
export function onChartGo(work: (number: number) => void): void {
  document.addEventListener("chart:go", ({ detail }) => work(detail.number));
}

/** The charts of games show this place. */
export function showChartPlace(at: number): void {
  for (const host of hosts) if (host.dataset.at !== undefined && host.dataset.at !== String(at)) host.dataset.at = String(at);
}
