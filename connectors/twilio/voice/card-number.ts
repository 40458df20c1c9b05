/** 13 to 19 digits, in groups or not. */
const RUN = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;

/** Whether a text holds what can be the number of a card: its last digit is made of the others. */
export function holdsCardNumber(text: string): boolean {
  return (text.match(RUN) ?? []).some((run) => checks(run.replaceAll(/\D/g, '')));
}

/** By Luhn: from the right every second digit counts twice, and of what has two digits both. */
function checks(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
