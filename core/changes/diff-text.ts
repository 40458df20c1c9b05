export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Above this number of compared pairs, what differs is shown as a whole: a table of them would need too much memory. */
const MAX_PAIRS = 4_000_000;

/** Compares two Markdown texts line by line; empty lines do not count. Pure. */
export function diffText(before: string, after: string): readonly DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const middle = diffMiddle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  return [
    ...toLines('same', old.slice(0, start)),
    ...middle,
    ...toLines('same', old.slice(old.length - end)),
  ];
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function toLines(kind: DiffLine['kind'], texts: readonly string[]): readonly DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** Keeps the longest common subsequence, and puts what was removed before what was added. */
function diffMiddle(old: readonly string[], fresh: readonly string[]): readonly DiffLine[] {
  if (old.length * fresh.length > MAX_PAIRS) return [...toLines('removed', old), ...toLines('added', fresh)];
  const width = fresh.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => longest[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      longest[row * width + column] =
        old[row] === fresh[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < fresh.length) {
    const [oldLine, freshLine] = [old[row], fresh[column]];
    if (oldLine !== undefined && oldLine === freshLine) {
      lines.push({ kind: 'same', text: oldLine });
      row += 1;
      column += 1;
    } else if (
      oldLine !== undefined &&
      (freshLine === undefined || at(row + 1, column) >= at(row, column + 1))
    ) {
      lines.push({ kind: 'removed', text: oldLine });
      row += 1;
    } else if (freshLine !== undefined) {
      lines.push({ kind: 'added', text: freshLine });
      column += 1;
    }
  }
  return lines;
}
