import type { SmallTalkData } from '../../small-talk.ts';

export const smallTalk: SmallTalkData = {
  phrases: {
    greeting:
      'hola|holi|holaa|buenas|buenos días|buen día|buenas {tardes,noches}|muy buenas|qué hay|saludos|{hay,} alguien {ahí,aquí}|estás ahí|encantado|encantada|prueba',
    wellBeing:
      'qué tal {estás,está,todo,}|cómo {estás,está,están,andas,te va,le va}|cómo va {todo,eso,}|todo bien|qué pasa',
    thanks:
      'gracias|{muchas,muchísimas,mil,mil,} gracias|te lo agradezco|se lo agradezco|muy amable|{me,} ha sido {muy,} útil|me {ayudó,ha ayudado,sirve,sirvió} {mucho,}|muy útil|no tengo más preguntas|me {ayudaste,has ayudado,ha ayudado,ayudó} {mucho,bastante,}',
    praise:
      '{es,está,eso es,} {súper,perfecto,genial,excelente,estupendo,fantástico,increíble,maravilloso,buenísimo,muy bien,muy bueno}|buen trabajo|bien hecho|buena respuesta|eres {genial,el mejor,muy útil,increíble}|{ya,} funciona|funcionó|me alegro|qué bien|qué bueno',
    goodbye:
      'adiós|chao|chau|hasta {luego,pronto,mañana,la vista,otra,la próxima}|nos vemos|{que tenga,que tengas,} {un,} {buen,feliz} {día,fin de semana}|que te vaya bien|que le vaya bien|eso es todo|eso era todo|nada más|es todo|eso {será,sería} todo',
    okay: 'sí|si|sip|claro|claro que sí|vale|bien|bueno|de acuerdo|entendido|entiendo|ya veo|comprendo|por supuesto|exacto|correcto|eso es|así es|está bien|perfecto entonces|listo|dale|no hay problema|no pasa nada|lo {probaré,intentaré}|voy a probar|quizás|tal vez|perdón|lo siento|disculpa|disculpe',
    no: 'ahora no|no hace falta|no es necesario|da igual|déjalo|olvídalo|no importa|nada|en realidad no|no mucho',
    bot: '{eres,es usted,es,estás} {un,una,} {bot,chatbot,robot,máquina,ia,humano,humana,persona,persona real,real,persona de verdad,inteligencia artificial,ordenador,robot o una persona,bot o una persona,persona o un robot}|{estoy hablando,hablo} con {un,una} {bot,robot,máquina,persona,humano,persona real,ia}|esto es {un,una} {bot,robot,ia,máquina}|{quién,qué} {eres,es usted}|cómo {te llamas,se llama}|cuál es {tu,su} nombre|con quién {hablo,estoy hablando}|quién te {hizo,creó,programó}|{esto es,es esto,eso es,es} {un,una,} {máquina,bot,robot,chatbot,ia,persona,persona real,respuesta automática,humano,robot o una persona,persona o un robot,persona o una máquina}|{eres,es usted} {un,una} {humano o un robot,robot o un humano,humano o un bot,bot o un humano,persona o una máquina,máquina o una persona,persona o un bot,ser humano,persona de verdad o un robot}|{estoy hablando,hablo,estoy chateando} con {un,una} {persona de verdad,ser humano,humano o un robot,robot o un humano,robot o una persona,persona o un robot,persona o una máquina,máquina o una persona,chatbot,bot o una persona,persona o un bot}|{me,} {responde,está respondiendo,contesta} {un,una} {bot,robot,máquina,ia,persona,humano,persona real}',
    abilities:
      'ayuda|ayúdame|ayúdeme|{necesito,quiero} {ayuda,tu ayuda,su ayuda}|{me puedes,me puede,puedes,puede,podrías,podría,me podrías,me podría} ayudar|{puedes,puede,podrías,podría} ayudarme|qué {puedes,sabes,puede,sabe} hacer {por mí,}|qué haces|qué sabes|en qué {me puedes,puedes,me puede,puede} {ayudar,ayudarme}|cómo {me puedes,puedes,me puede,puede} {ayudar,ayudarme}|qué {puedo,te puedo,le puedo} {preguntar,preguntarte,preguntarle}|tengo {una,unas,algunas,varias} {pregunta,preguntas,duda,dudas,consulta}|tengo un problema|{puedo,te puedo,le puedo} {hacer,hacerte,hacerle} una pregunta|{una,} {pregunta,consulta}|menú|empezar|inicio',
    upset:
      '{esto,eso,es,eres,usted,} {es,eres,está,} {muy,tan,totalmente,completamente,un,una,} {inútil,estúpido,tonto,ridículo,ridícula,terrible,horrible,basura,mierda,broma,vergüenza,desastre,frustrante,idiota,imbécil,pésimo,absurdo,malo,pérdida de tiempo,inaceptable,tontería}|{bot,robot} {inútil,estúpido,tonto,de mierda}|cállate|mierda|joder|carajo|vete a la mierda|que te jodan|qué asco|te odio|{eso,esto,} {está mal,no es correcto,no es cierto,no es verdad,es falso,es incorrecto,es mentira,no es así}|{respuesta,} {incorrecta,equivocada,incorrecto}|te equivocas|{eso,esto,} no {me,} {ayuda,sirve,ayudó,ha ayudado} {para nada,de nada,nada,}|no {me,} {entiendes,entiende,entendiste,ayudas,escuchas,respondes}|no {has respondido,respondiste,responde,contesta} {a,} mi pregunta|no {es,era} lo que {pregunté,pregunto,he preguntado,quería}|no sirves {para nada,de nada,}|no sirve {para nada,de nada,}|estoy {muy,} {enfadado,enfadada,enojado,enojada,frustrado,frustrada,harto,harta,furioso,furiosa,molesto,molesta,cansado,decepcionado,decepcionada}|{qué,vaya,menuda} {vergüenza,desastre,mierda,porquería,tontería,birria}|me tomas el pelo|{pésimo,mal,peor} servicio|ya te lo {dije,he dicho}|gracias por nada|no me lo puedo creer|estás de broma|este {bot,chat,robot} es {muy,tan,} {inútil,tonto,malo,pésimo,terrible}|no es lo que {quería,quería decir,busco}|no tiene sentido',
    filler:
      'a todos|de nuevo|otra vez|amigo|amiga|por favor|porfa|por {todo,la ayuda,tu ayuda,su ayuda,la información,la respuesta,tu respuesta,su respuesta,la info,responder}|muy|mucho|y|pues|entonces|ya|de verdad|hoy|a ti|a usted|igualmente|equipo|eh|bien|por ahora|así',
  },
  replies: {
    greeting: 'Hola, le damos la bienvenida a {name}. ¿Qué le gustaría saber?',
    wellBeing: 'Muy bien, gracias por preguntar. ¿En qué puedo ayudarle?',
    thanks: 'De nada. Si necesita algo más, solo tiene que preguntar.',
    praise: 'Me alegra saberlo. Si necesita algo más, solo tiene que preguntar.',
    goodbye: 'Hasta pronto, y un saludo de {name}.',
    okay: 'De acuerdo. ¿Qué más le gustaría saber?',
    no: 'De acuerdo. Si necesita algo más, solo tiene que preguntar.',
    bot: 'Está hablando con una máquina, no con un ser humano: soy el asistente automático de {name} y respondo a partir de sus documentos.',
    abilities:
      'Soy el asistente automático de {name}: respondo a partir de sus documentos e indico la fuente. Escriba su pregunta con sus propias palabras.',
    upset: 'Siento que esto no vaya bien. Si me dice con otras palabras lo que necesita, volveré a buscar.',
    topics: 'Puede preguntarme, por ejemplo, sobre: {topics}.',
    person: '¿Quiere que avise a una persona del equipo?',
  },
};
