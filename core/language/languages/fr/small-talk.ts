import type { SmallTalkData } from '../../small-talk.ts';

export const smallTalk: SmallTalkData = {
  phrases: {
    greeting:
      'bonjour|bonsoir|salut|coucou|bjr|slt|re|{y a-t-il,il y a,} quelqu’un|{il,} y a quelqu’un|tu es là|vous êtes là|allô|enchanté|test|rebonjour',
    wellBeing:
      '{comment,} ça va {bien,}|comment {vas-tu,allez-vous,vas tu,allez vous,tu vas,vous allez}|tu vas bien|vous allez bien|quoi de neuf|la forme',
    thanks:
      'merci|{mille,grand,un grand} merci|merci {beaucoup,bien,infiniment,à vous,à toi}|mci|je {vous,te} remercie|c’est {très,} {gentil,utile,sympa}|{très,} utile|{ça,cela} m’a {bien,beaucoup,} aidé|ça m’aide {beaucoup,bien,}|plus de questions|je n’ai plus de {question,questions}|{tu m’as,vous m’avez} {beaucoup,bien,vraiment,} aidé',
    praise:
      '{c’est,} {super,top,cool,parfait,génial,excellent,formidable,fantastique,magnifique,très bien,impeccable,nickel,extra,chouette}|bon travail|bien joué|bonne réponse|{tu es,vous êtes,t’es} {génial,super,le meilleur,formidable}|ça {marche,fonctionne,a marché}|tant mieux',
    goodbye:
      'au revoir|à {bientôt,plus,plus tard,demain,tout à l’heure,la prochaine,+}|adieu|bonne {journée,soirée,nuit,fin de journée,continuation}|bon {week-end,weekend,après-midi}|{ce sera,c’est,c’était} tout|tchao|tchuss|salut et merci|ce sera tout|rien d’autre',
    okay: 'oui|ouais|ouaip|bien sûr|d’accord|dac|daccord|entendu|compris|j’ai compris|je comprends|je vois|très bien merci|bien|ah bon|exact|exactement|c’est ça|ça roule|ça marche merci|pas de {problème,souci}|pas grave|ce n’est pas grave|peut-être|je vais essayer|volontiers|bon|c’est bon|c’est noté|noté|pardon|désolé|désolée|avec plaisir',
    no: 'non|nan|pas vraiment|pas maintenant|pas la peine|laisse tomber|laissez tomber|peu importe|tant pis|rien|rien d’autre|ce n’est pas nécessaire',
    bot: '{es-tu,êtes-vous,tu es,vous êtes,t’es,es tu,êtes vous,est-ce que tu es,est-ce que vous êtes} {un,une,} {bot,chatbot,robot,machine,ordinateur,ia,humain,humaine,personne,vraie personne,personne réelle,vrai,intelligence artificielle,robot ou un humain,robot ou une personne,humain ou un robot}|{je parle,est-ce que je parle,parle-je,je discute} {à,avec} {un,une} {bot,robot,machine,humain,personne,vraie personne,ia}|c’est {un,une} {bot,robot,ia,machine}|qui {es-tu,êtes-vous,es tu,êtes vous,tu es}|{tu es,t’es,vous êtes} qui|comment {tu t’appelles,t’appelles-tu,vous appelez-vous}|quel est {ton,votre} nom|à qui {je parle,ai-je affaire}|qui {t’a,vous a} {créé,fait,programmé}|{est-ce,c’est,est-ce que c’est} {un,une,} {machine,robot,bot,chatbot,ia,humain,vraie personne,réponse automatique,robot ou un humain,humain ou un robot,machine ou un humain,vraie personne ou un robot}|{es-tu,êtes-vous,tu es,vous êtes,est-ce que vous êtes,est-ce que tu es} {un,une} {humain ou un robot,humain ou une machine,machine ou un humain,personne ou un robot,vraie personne ou un robot,robot ou un être humain,être humain,bot ou un humain,humain ou un bot}|{est-ce que je parle,je parle,parle-je,est-ce que je discute,je discute} {bien,vraiment,} {à,avec} {un,une} {personne réelle,être humain,humain ou un robot,robot ou un humain,machine ou un humain,chatbot,ordinateur,vraie personne ou un robot}|c’est un {robot,bot,humain} {qui répond,qui me répond,ou un humain,ou un robot}|c’est une {machine,ia,vraie personne} {qui répond,qui me répond}',
    abilities:
      'aide|aide-moi|aidez-moi|à l’aide|{j’ai,j’aurais} besoin {d’aide,de votre aide,de ton aide}|{peux-tu,pouvez-vous,tu peux,vous pouvez,pourriez-vous,pourrais-tu} m’aider|que {peux-tu,pouvez-vous,sais-tu,savez-vous} faire {pour moi,}|qu’est-ce que {tu peux,vous pouvez,tu sais,vous savez} faire|tu {peux,sais} faire quoi|tu fais quoi|comment {peux-tu,pouvez-vous,tu peux,vous pouvez} m’aider|que puis-je {te,vous,} demander|qu’est-ce que je peux {te,vous,} demander|{j’ai,j’aurais} {une,des,quelques} {question,questions}|j’ai un problème|{puis-je,je peux,est-ce que je peux} {te,vous,} poser une question|{une,} question|menu|commencer',
    upset:
      '{c’est,tu es,t’es,vous êtes,ceci est,c’était} {vraiment,complètement,totalement,trop,un,une,} {inutile,nul,nulle,stupide,bête,ridicule,idiot,débile,horrible,mauvais,n’importe quoi,con,blague,honte,catastrophe,scandaleux,frustrant,énervant,inadmissible,inacceptable,perte de temps}|{bot,robot} {stupide,inutile,nul,débile}|stupide {bot,robot}|tais-toi|ta gueule|ferme-la|merde|putain|va te faire foutre|connard|idiot|imbécile|je {te,vous} déteste|nul|inutile|n’importe quoi|{c’est,} {faux,pas vrai,pas correct,pas ça,incorrect,pas la bonne réponse,pas juste}|ce n’est pas {vrai,ça,correct,ce que j’ai demandé,ce que je demande,ma question,juste,la bonne réponse,utile}|mauvaise réponse|{ça,cela} ne {m’aide,m’aide vraiment,sert,répond} {pas,à rien,pas du tout,pas à ma question}|ça {m’aide pas,sert à rien,marche pas du tout}|{tu ne comprends,vous ne comprenez,tu comprends,vous ne me comprenez,tu ne me comprends} {rien,pas}|{tu n’as,vous n’avez} pas répondu {à ma question,}|{tu ne sers,tu sers} à rien|je suis {très,vraiment,} {énervé,énervée,en colère,frustré,frustrée,furieux,furieuse,déçu,déçue,mécontent,mécontente}|{tu te fous,vous vous fichez,vous vous moquez,tu te moques} de moi|{quelle,une} {honte,blague,catastrophe}|{j’en ai,} {marre,ras le bol,assez}|service {nul,déplorable,lamentable}|je l’ai déjà dit|merci pour rien|c’est pas possible|{ce,le} {bot,chatbot,robot} est {vraiment,trop,complètement,} {inutile,nul,stupide,mauvais}|ce n’est pas ce que je {voulais,voulais dire,cherche}|ça n’a aucun sens',
    filler:
      'à tous|à toutes|tout le monde|encore|beaucoup|bien|s’il vous plaît|s’il te plaît|svp|stp|monsieur|madame|pour {tout,votre aide,ton aide,la réponse,votre réponse,ta réponse,l’info,les infos,les informations,l’aide}|et|alors|donc|vraiment|très|à vous|à toi|vous aussi|toi aussi|également|et toi|et vous|l’équipe|là|là-bas|euh|bah|ben|hein|du tout|pour le moment|pour l’instant',
  },
  replies: {
    greeting: 'Bonjour et bienvenue chez {name}. Que souhaitez-vous savoir ?',
    wellBeing: 'Je vais bien, merci de demander. Que puis-je faire pour vous ?',
    thanks: "Je vous en prie. Si vous avez d'autres questions, n'hésitez pas.",
    praise: "J'en suis ravi. Si vous avez d'autres questions, n'hésitez pas.",
    goodbye: 'Au revoir, et à bientôt chez {name}.',
    okay: "D'accord. Que souhaitez-vous savoir d'autre ?",
    no: "D'accord. Si vous avez d'autres questions, n'hésitez pas.",
    bot: "Vous parlez à une machine, pas à un être humain : je suis l'assistant automatique de {name} et je réponds à partir de ses documents.",
    abilities:
      "Je suis l'assistant automatique de {name} : je réponds à partir de ses documents et j'indique la source. Écrivez votre question avec vos propres mots.",
    upset:
      'Je suis désolé que cela ne se passe pas bien. Si vous me dites autrement ce dont vous avez besoin, je chercherai encore.',
    topics: "Vous pouvez m'interroger par exemple sur : {topics}.",
    person: "Voulez-vous que je fasse venir une personne de l'équipe ?",
  },
};
