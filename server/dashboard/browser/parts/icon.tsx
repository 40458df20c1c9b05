import type { IconType } from '../icons.ts';

interface IconProps {
  readonly of: IconType;
  readonly size?: number;
  readonly color?: string;
  /** The name for people who do not see it. Without one it is decoration. */
  readonly label?: string;
  readonly className?: string;
}

/** A symbol at the size and stroke of the design. */
export function Icon({ of: Shape, size = 16, label, ...rest }: IconProps) {
  const named = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <Shape size={size} strokeWidth={size <= 14 ? 2 : 1.75} style={{ flexShrink: 0 }} {...named} {...rest} />
  );
}
