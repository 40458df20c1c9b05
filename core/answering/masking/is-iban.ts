/** Whether letters and digits, without spaces, are an IBAN: by its form and its remainder by 97. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/u.test(text)) return false;
  const moved = text.slice(4) + text.slice(0, 4);
  const remainder = [...moved].reduce((rest, character) => {
    const value = Number.parseInt(character, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);
  return remainder === 1;
}
