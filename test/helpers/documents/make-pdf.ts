import { deflateSync } from 'node:zlib';

/** A PDF of one page with the given content stream, in 12-point Helvetica named F. */
export function makePdf(content: string | Uint8Array): Uint8Array {
  const stream = deflateSync(content);
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    Buffer.concat([
      Buffer.from(`<</Length ${stream.length}/Filter/FlateDecode>>stream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets = objects.map((object, index) => {
    const offset = Buffer.concat(parts).length;
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'));
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = Buffer.concat(parts).length;
  const trailer = `xref\n0 6\n0000000000 65535 f \n${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`;
  return new Uint8Array(Buffer.concat([...parts, Buffer.from(trailer)]));
}
