/** Words that a bare answer to "what is your name?" holds where it is no name; folded. */
export const notNames: ReadonlySet<string> = new Set(
  [
    // What people say instead of a name.
    `yes no yeah yep nope ok okay sure thanks thank hi hello hey please sorry maybe fine good great cool nothing none
     anonymous never stop cancel skip later now not wrong incorrect misspelled interested looking happy unhappy sad
     angry confused stuck lost waiting trying having using calling writing asking new sick back here there ready able`,
    `i you he she it we they me my your our his her this that these those a an the and or but if of on in at to for from
     by with without about as is are was were be been am do does did have has had can could would should might
     must want need like get got give tell know see call contact email mail phone number name address what when where
     who why how which`,
    `help support human person agent price prices pricing cost plan plans quote offer demo refund refunds policy invoice
     invoices order orders password login reset account billing shipping delivery cancel subscription trial export
     import api integration question problem issue error bug opening hours free customer user users team company test
     urgent english german french spanish dutch italian american british`,
    `ja nein doch gut danke bitte hallo guten tag moin vielleicht egal nichts niemand ich du er sie es wir ihr mein
     meine dein der die das den dem ein eine einen und oder aber wenn von im am zu zur zum fur mit ohne uber als ist
     sind war bin habe hat kann konnte wurde muss mochte brauche was wann wo wer warum wie welche nicht kein keine
     hilfe mensch mitarbeiter preis preise kosten angebot rechnung bestellung passwort konto lieferung versand
     kundigung frage problem fehler offnungszeiten kunde student entwickler interessiert falsch neu hier da`,
    `si gracias hola vale claro bien nada nadie yo tu el ella ello nosotros mi su la los las un una unos y o pero para
     por con sin sobre como que cuando donde quien cual es son soy estoy tengo quiero puedo necesito ayuda precio
     precios factura pedido contrasena cuenta envio reembolso pregunta problema cliente interesado aqui no`,
    `oui non merci bonjour salut d'accord bien rien personne je tu il elle nous vous mon ma mes votre le les une des et
     ou mais pour avec sans sur dans est sont suis ai peux veux voudrais besoin aide prix facture commande mot passe
     compte livraison remboursement question probleme client interesse ici comment quand qui pourquoi pas`,
    'grazie ciao sono io prezzo aiuto sim nao obrigado obrigada ola preco ajuda nee bedankt ik prijs hulp klant',
  ]
    .join(' ')
    .split(/\s+/u),
);
