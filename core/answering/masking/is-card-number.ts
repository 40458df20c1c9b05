/** Whether digits are a payment card's number: 13 to 19 of them, as issuers begin theirs, with Luhn's check digit. */
export function isCardNumber(digits: string): boolean {
  if (!/^[2-9]\d{12,18}$/u.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
