import type { IconType } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';

interface KindTileProps {
  readonly kind: string;
  readonly icon: IconType;
}

/** The symbol of a kind in the colour of its platform. */
export function KindTile({ kind, icon }: KindTileProps) {
  return (
    <span className="p-kind-tile" data-kind={kind}>
      <Icon of={icon} size={18} />
    </span>
  );
}
