/** What shows that digits are a phone number, and what that they are not; of folded text. */
export const phoneCues = {
  phone:
    /(?:tele)?phone|\b(?:tel|call|ring|reach|text|sms|cell|mobile|mobil|handy|fax|whatsapp|signal)\b|telefon|anruf|\bruf|erreich|llam|movil|celular|rappel|appel|portable|joindre|joignable|chiam|cellulare|\bligar|\bligue|telemovel|telefoon|\bbel\b|\b(?:my|meine|mi|mon|mijn|meu|mio) (?:number|nummer|numero)\b/gu,
  other:
    /order|invoice|ticket|\bcase\b|\bref|tracking|serial|account|customer|number of|\bid\b|iban|\bzip\b|\bplz\b|postal|\bvat\b|\bust|version|bestell|rechnung|kunden|auftrag|konto|sendung|pedido|factura|cuenta|cliente|commande|facture|client|compte|colis|\bfrom\b.{0,80}\bto\b/u,
} as const;
