// The table of a game of Go, fetched anew.
import "./htmx";

export function fetchTable(): void {
  void htmx.ajax("GET", `${location.pathname}/table`, { target: "#table" });
}
