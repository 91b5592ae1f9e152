// Texts with places for values, and what a browser keeps for a page.

/** The text with its `{names}` replaced. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}

/** A list anew behind the label that its text has: "Black: C3 D4". In Japanese the colon is a wide one, which brings its own space. */
export function listAnew(text: string, items: readonly string[]): string {
  const label = /^[^:\uff1a]*[:\uff1a]/.exec(text)?.[0] ?? "", list = items.join(" ");
  return label.endsWith(":") && list ? `${label} ${list}` : label + list;
}

/** A lead as it is read: `+3.5`. */
export const signed = (lead: number): string => `${lead < 0 ? "" : "+"}${lead.toFixed(1)}`;

/** A share of one in percent. */
export const percent = (share: number): string => (100 * share).toFixed(0);

/** Minutes and seconds: `4:05`. */
export const clockText = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** What the browser keeps under this name; nothing in a browser that keeps nothing. */
export function readKept(kept: "local" | "session", name: string): string | null {
  try {
    return (kept === "local" ? localStorage : sessionStorage).getItem(name);
  } catch {
    return null;
  }
}

export function keep(kept: "local" | "session", name: string, value: string): void {
  try {
    (kept === "local" ? localStorage : sessionStorage).setItem(name, value);
  } catch { /* a browser that keeps nothing */ }
}
