import JSZip from 'jszip';

/** A ZIP archive of text parts. */
export function makeArchive(parts: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> {
  const archive = new JSZip();
  for (const [name, content] of Object.entries(parts)) archive.file(name, content);
  return archive.generateAsync({ type: 'uint8array', compression: 'DEFLATE' });
}

const CONTENT_TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
  <Override PartName="/word/document.xml"
    ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const RELATIONSHIPS = `<?xml version="1.0"?>
  <Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1"
    Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    Target="word/document.xml"/></Relationships>`;

/** The smallest Word document around a body in its own XML. */
export function makeDocx(
  body: string,
  otherParts: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Uint8Array> {
  const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  return makeArchive({
    '[Content_Types].xml': CONTENT_TYPES,
    '_rels/.rels': RELATIONSHIPS,
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="${namespace}"><w:body>${body}</w:body></w:document>`,
    ...otherParts,
  });
}
