/** Whether arrays and objects in valid JSON stand more than `most` deep inside each other. */
export function isNestedDeeper(json: string, most: number): boolean {
  if (json.length <= most) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > most) return true;
  }
  return false;
}
