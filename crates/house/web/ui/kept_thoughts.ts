// What was thought of the places of a game outlives a reload: the tab keeps it in its session storage when the page goes. That is bounded, as each map has
// one entry there, whatever games the tab has shown.
import { keep, readKept } from "./texts";

/** Signs of a map that are kept at most. Browsers have room for some five million in a tab. */
const MOST = 500_000;

interface KeptMap<Value> {
  readonly owner: string;
  readonly places: readonly (readonly [place: string, thought: Value])[];
}

/** Whose thoughts these are: those of this game, in this language, as this version of the page writes them. */
const nameOwner = () => [location.pathname, document.documentElement.lang, document.querySelector<HTMLScriptElement>("script[src*=workbench]")?.src].join(" ");

function readMap<Value>(name: string): KeptMap<Value> | null {
  try {
    return JSON.parse(readKept("session", name) ?? "null") as KeptMap<Value> | null;
  } catch {
    return null;
  }
}

/** The newest of these, which stand last, as far as there is room. */
function newest<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  const places = [...map].reverse();
  let left = MOST;
  const full = places.findIndex((place) => (left -= JSON.stringify(place).length) < 0);
  return (full < 0 ? places : places.slice(0, full)).reverse();
}

/** Fills a map with what the tab has kept of it, and sees to it that the tab keeps it. */
export function keepOverReload<Value>(name: string, map: Map<string, Value>): void {
  const kept = readMap<Value>(`ishi-${name}`);
  if (kept?.owner === nameOwner()) for (const [place, thought] of kept.places) map.set(place, thought);
  addEventListener("pagehide", () => {
    // Pages without a game leave alone what is kept.
    if (map.size) keep("session", `ishi-${name}`, JSON.stringify({ owner: nameOwner(), places: newest(map) }));
  });
}
