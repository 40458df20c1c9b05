const SAMPLE_BYTES = 65_536;
const MIN_ZERO_SHARE = 0.2;

/**
 * UTF-16 by its byte order mark, or without one: Western text has a zero in every other byte there, which no other
 * text encoding has and no binary format keeps up.
 */
export function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  let even = 0;
  let odd = 0;
  sample.forEach((byte, index) => {
    if (byte !== 0) return;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  });
  const many = sample.length * MIN_ZERO_SHARE;
  if (odd > many && even < odd / 10) return 'utf-16le';
  if (even > many && odd < even / 10) return 'utf-16be';
  return null;
}
