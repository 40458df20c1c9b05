import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentFixture } from './load-as.ts';

const FOLDER = '/usr/bin';

/** Whether this machine has the programs that read pictures. */
export const hasTesseract = ['tesseract', 'pdftoppm', 'prlimit'].every((name) =>
  existsSync(join(FOLDER, name)),
);

/** A picture of the first page of a fixture, as a scanner would make it. */
export function pictureOf(fixture: string, format: 'png' | 'jpeg' | 'tiff'): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'picture-'));
  try {
    writeFileSync(join(folder, 'file.pdf'), documentFixture(fixture));
    execFileSync(
      join(FOLDER, 'pdftoppm'),
      [`-${format}`, '-r', '200', '-gray', '-singlefile', 'file.pdf', 'page'],
      { cwd: folder },
    );
    return new Uint8Array(
      readFileSync(join(folder, `page.${{ png: 'png', jpeg: 'jpg', tiff: 'tif' }[format]}`)),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A PDF whose pages show JPEG pictures; null stands for a page with the text of the second argument. */
export function makeScan(pictures: readonly (Uint8Array | null)[], text = ''): Uint8Array {
  const objects: Buffer[] = [];
  const add = (content: string | Buffer): number => objects.push(Buffer.from(content));
  add('<</Type/Catalog/Pages 2 0 R>>');
  add('');
  const stream = (head: string, content: Uint8Array): Buffer =>
    Buffer.concat([
      Buffer.from(`<<${head}/Length ${content.length}>>stream\n`),
      content,
      Buffer.from('\nendstream'),
    ]);
  const font = add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  const kids = pictures.map((picture) => {
    const image =
      picture === null
        ? font
        : add(
            stream(
              '/Type/XObject/Subtype/Image/Width 1700/Height 2200/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode',
              picture,
            ),
          );
    const content = add(
      stream(
        '',
        Buffer.from(
          picture === null ? `BT /F 12 Tf 50 700 Td (${text}) Tj ET` : 'q 612 0 0 792 0 0 cm /I Do Q',
        ),
      ),
    );
    return add(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${content} 0 R/Resources<</Font<</F ${font} 0 R>>/XObject<</I ${image} 0 R>>>>>>`,
    );
  });
  objects[1] = Buffer.from(
    `<</Type/Pages/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]/Count ${kids.length}>>`,
  );
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets = objects.map((object, index) => {
    const offset = parts.reduce((sum, part) => sum + part.length, 0);
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'));
    return offset;
  });
  const start = parts.reduce((sum, part) => sum + part.length, 0);
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`,
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
}
