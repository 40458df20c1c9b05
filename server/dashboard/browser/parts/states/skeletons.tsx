import { useCommonTexts } from '../../texts/common-texts.tsx';

interface SkeletonsProps {
  readonly rows?: number;
  /** The height of the rows that come, in pixels. */
  readonly height?: number;
  /** Whether each row begins with a tile. */
  readonly tile?: boolean;
}

/** Rows of the final size, fading downwards, shown after 150 ms: a fast answer shows none. */
export function Skeletons({ rows = 6, height = 44, tile = false }: SkeletonsProps) {
  const { texts } = useCommonTexts();
  return (
    <div className="p-skeleton" role="status" aria-label={texts.frame.loading}>
      {Array.from({ length: rows }, (_, row) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
          key={row}
          className="p-skeleton-row"
          style={{ height, opacity: 1 - row / rows }}
        >
          {tile && <div className="p-skeleton-bar" style={{ width: 28, height: 28 }} />}
          <div className="p-skeleton-bar" style={{ width: `${40 - (row % 3) * 8}%` }} />
          <div className="p-skeleton-bar" style={{ width: '12%', marginInlineStart: 'auto' }} />
        </div>
      ))}
    </div>
  );
}
