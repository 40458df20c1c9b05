/** What mail programs of all languages put before the subject of an answer, and of what is passed on. */
const ANSWER =
  /^\s*(re|aw|antw|sv|vs|odp|ynt|rép|res|rif|r|atb|bls|vá|回复|回覆|答复|返信)\s*(?:(?:\[\d+\]|\(\d+\))\s*)?[:：]/i;
const FORWARD =
  /^\s*(fwd?|wg|tr|rv|i|enc|doorst|pd|vb|vs|fs|vl|tov|továbbítás|пересл|转发|轉寄|転送)\s*(?:(?:\[\d+\]|\(\d+\))\s*)?[:：]/i;

export function isAnswer(subject: string): boolean {
  return ANSWER.test(subject);
}

export function isForward(subject: string): boolean {
  return FORWARD.test(subject) && !ANSWER.test(subject);
}

/** Without what stands before it, however often. */
export function baseSubject(subject: string): string {
  let base = subject.replaceAll(/\s+/g, ' ').trim();
  while (ANSWER.test(base)) base = base.replace(ANSWER, '').trim();
  return base;
}

/** Whether both are about the same. */
export function sameSubject(one: string, other: string): boolean {
  const plain = (subject: string) => {
    let base = subject;
    while (ANSWER.test(base) || FORWARD.test(base)) base = base.replace(ANSWER, '').replace(FORWARD, '');
    return base.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
  };
  return plain(one) === plain(other);
}
