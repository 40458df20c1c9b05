import { deflateSync } from 'node:zlib';

interface PdfExtras {
  /** An addition to the dictionaries of the catalogue and of the page. */
  readonly catalog?: string;
  readonly page?: string;
  /** Objects from number 6 on; the page is object 3. */
  readonly objects?: readonly string[];
}

/** A PDF of one page with the given content stream, in 12-point Helvetica named F. */
export function makePdf(content: string | Uint8Array, extras: PdfExtras = {}): Uint8Array {
  const stream = deflateSync(content);
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${extras.catalog ?? ''}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>${extras.page ?? ''}>>`,
    Buffer.concat([
      Buffer.from(`<</Length ${stream.length}/Filter/FlateDecode>>stream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...(extras.objects ?? []),
  ];
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets = objects.map((object, index) => {
    const offset = Buffer.concat(parts).length;
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'));
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = Buffer.concat(parts).length;
  const count = objects.length + 1;
  const trailer = `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer<</Size ${count}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`;
  return new Uint8Array(Buffer.concat([...parts, Buffer.from(trailer)]));
}

/** Text at a place of a page, in points from its lower left corner. */
export type Printed = readonly [x: number, y: number, text: string];

/** The content stream that prints texts in the given order, in 10-point type. */
export function printTexts(texts: readonly Printed[]): string {
  return texts
    .map(([x, y, text]) => `BT /F 10 Tf 1 0 0 1 ${x} ${y} Tm (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`)
    .join('\n');
}
