import qrcode from 'qrcode-generator';

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
  readonly className: string;
}

/** A text as a QR code. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const cells = Array.from(
    { length: size * size },
    (_, cell) => [Math.floor(cell / size), cell % size] as const,
  );
  const path = cells
    .filter(([row, column]) => code.isDark(row, column))
    .map(([row, column]) => `M${column} ${row}h1v1h-1z`)
    .join('');
  return (
    <svg
      className={className}
      role="img"
      aria-label={label}
      width="184"
      height="184"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
