// The ways that a game of Go has at a place.
import type { PageGame } from "./tree";

/** Ways that the game has at a place, to be gone. */
function VariationRow({ game, title, nodes, onGo }: { game: PageGame; title: string; nodes: readonly number[]; onGo: (node: number) => void }) {
  return (
    <div class="row">
      <span class="quiet">{title}</span>
      {nodes.map((index) => (
        <button key={index} type="button" data-node={index} aria-pressed={index === game.current} onClick={() => onGo(index)}>{game.nameOfNode(index)}</button>
      ))}
    </div>
  );
}

/** The variations at a place and those that follow; nothing where there is one way only. */
export function Variations({ game, onGo }: { game: PageGame; onGo: (node: number) => void }) {
  const { p, children } = game.nodes[game.current], siblings = p >= 0 ? game.nodes[p].children : [], { words } = game;
  return (
    <>
      {siblings.length > 1 && <VariationRow game={game} title={words.variations} nodes={siblings} onGo={onGo} />}
      {children.length > 1 && <VariationRow game={game} title={words.next} nodes={children} onGo={onGo} />}
    </>
  );
}
