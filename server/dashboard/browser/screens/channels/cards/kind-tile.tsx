import { useKind } from '../../../api/kinds.ts';
import { KindIcon } from './kind-icon.tsx';

/** The style of a tile with the symbol of a kind: the colour of its platform. */
export function useTileStyle(kind: string) {
  const colour = useKind(kind)?.colour ?? null;
  return colour === null ? undefined : { color: `light-dark(${colour.light}, ${colour.dark})` };
}

/** The symbol of a kind in the colour of its platform. */
export function KindTile({ kind }: { readonly kind: string }) {
  return (
    <span className="p-kind-tile" style={useTileStyle(kind)}>
      <KindIcon kind={kind} size={18} />
    </span>
  );
}
