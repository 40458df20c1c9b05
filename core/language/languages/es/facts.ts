import type { FactWords } from '../../fact-words.ts';

export const facts: FactWords = {
  months:
    'enero|ene febrero|feb marzo abril|abr mayo junio|jun julio|jul agosto|ago septiembre|sept octubre|oct noviembre|nov diciembre|dic',
  noon: 'mediodia',
  until: 'hasta antes',
  since: 'desde partir despues',
  during: 'en',
  to: 'a al hasta',
  fillers: 'el la de del los fin',
  past: 'era eran fue fueron fundada fundado',
  negations: 'no nunca sin ningun ninguna',
  bounds: 'mas menos tarde',
  opposites: 'prohibido=permitido prohibidos=permitidos imposible=posible excluido=incluido cerrado=abierto',
  assertions: 'puede pueden permitido permitidos posible disponible incluido aceptamos debe abierto valido',
  contrasts: 'pero salvo excepto solo sino si',
  yes: 'si incluido',
  no: 'no',
  numbered: 'version paso seccion capitulo pagina numero articulo',
  restrictions: 'para a al en con por hacia',
  plain: `acepta aceptamos cuesta cuestan precio precios tarifa gastos cliente clientes plazo duracion dura es son ser tener
    tiene puede pueden debe dentro los las unos unas sobre por para con nuestro nuestra nuestros su sus que todo todos
    ayuda pagina guia preguntas respuestas condiciones reglas generales informacion contacto`,
  endings: 'amientos amiento es s e',
};
