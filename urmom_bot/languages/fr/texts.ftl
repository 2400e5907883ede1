remembered = 📌 C'est noté : { $fact }
remembered_as_said = 📌 C'est noté, mot pour mot : { $fact }
remembered_server = 📌 C'est noté, pour tout le serveur : { $fact }
alias_waits = « { $alias } » vaudra pour tout le monde quand { $name } le confirmera, ici avec « Bot oui » ou dans `/memory show`. D'ici là, seulement pour toi.
already_known = 📌 Je le savais, et c'est toujours vrai : { $fact }
subject_unknown = Qui est-ce ? Je ne connais personne ici qui s'appelle « { $name } ». Mentionne la personne (@nom) et je saurai.
subject_missing = C'est à propos de qui ? Mentionne la personne (@nom) ou commence par son nom : « { $bot } retiens que @nom aime les échecs ».
subject_missing_forget = C'est à propos de qui ? Mentionne la personne (@nom) ou commence par son nom : « { $bot } oublie que @nom aime les échecs ».
which_of = De qui parles-tu : { $names } ? Mentionne la bonne personne (@nom).
forgotten = 📌 C'est fait, oublié : { $facts }
nothing_to_forget = Je n'ai rien de ce genre sur { $name }.
nothing_like_that = Je n'ai rien de ce genre.
nearest =
    Ce que je sais de plus proche :
    { $facts }
    Pour m'en faire oublier un, dis « { $bot } oublie #{ $number } ».
candidates =
    Lequel de ces faits sur { $name } dois-je oublier ?
    { $facts }
    Dis « { $bot } oublie #{ $number } ».
forget_all_hint = Pour effacer d'un coup tout ce que je garde sur { $name }, utilise `/memory-admin purge-member`.
channel_by_command = Pour oublier tout un salon, un message ne suffit pas. Si tu gères ce serveur, `/settings` m'empêche de le lire, et `/memory-admin purge-channel` efface ce que j'en ai gardé. Pour ce que tu as écrit toi-même, il y a /privacy.
no_such_fact = Je n'ai pas de fait #{ $number } ici.
not_yours = Ça, c'est seulement à { $name }, à la personne qui me l'a dit ou à la modération de me le faire oublier : { $facts }
not_yours_server = Ça, c'est seulement à la personne qui me l'a dit ou à la modération de me le faire oublier : { $facts }
know = **{ $name }** : { $context }
know_facts =
    Ce qu'on m'a dit :
    { $facts }
know_more = … et { $count ->
    [one] une autre chose
   *[other] { $count } autres choses
}. *{ button_details }* montre tout.
know_nothing = Je ne sais encore rien sur { $name }.
know_activity = { $name } a écrit { $count ->
        [one] { $count } message
       *[other] { $count } messages
    } ces 7 derniers jours, sur { $days ->
        [one] un seul jour
       *[other] { $days } jours
    }.
fact_line =
    #{ $number } { $fact }
    -# dit par { $teller }, { $date }
teller_self = la personne elle-même
someone = quelqu'un
jokes_off = 📌 Plus de blagues sur toi.
jokes_on = 📌 Les blagues sur toi sont de nouveau permises.
jokes_by_command = Je peux seulement arrêter les blagues sur toi : dis « { $bot } pas de blagues sur moi ». Quelqu'un qui gère ce serveur peut les activer ou les couper pour tout le monde dans `/settings`.
settings_by_command = Ça se règle dans `/settings`, si tu gères ce serveur. Ce que je garde sur toi, et si je peux blaguer sur toi, c'est dans `/privacy`.
zone_set = 📌 Les jours de ce serveur suivent maintenant le fuseau { $zone }.
zone_denied = Pour choisir le fuseau horaire, il faut la permission Gérer le serveur.
zone_unknown = Je ne connais pas de fuseau horaire { $zone }. Écris par exemple Europe/Paris ou UTC.
no_ai = Je ne peux pas discuter ici, aucune IA n'est configurée. Mais je retiens des faits et je les redis : dis « { $bot } aide ».
quota_out = J'ai épuisé mon quota d'IA jusqu'à { $until }, donc pas de discussion pour l'instant. Les faits marchent toujours : retiens, oublie, que sais-tu de …
ai_away = Mon IA ne répond pas pour l'instant. Les faits marchent toujours : retiens, oublie, que sais-tu de …
ai_refused = Mon IA a refusé de répondre à ça.
ai_unusable = Je n'ai rien compris à la réponse de mon IA. Tu me le redemandes autrement ?
keep_this = Je le retiens ? « { $text } »
forget_one =
    J'oublie ça ?
    { $facts }
forget_this =
    J'oublie l'une de ces choses ?
    { $facts }
not_told = Je ne peux rien dire là-dessus.
known_anyway =
    Ce que je sais sans elle :
    { $facts }
error = Quelque chose a raté de mon côté, et je n'ai pas pu le faire. Si ça recommence, donne ce code à la personne qui me fait tourner : { $code }
database_away = Je n'ai pas accès à ma mémoire pour l'instant. Je m'en occupe dès qu'elle revient ; rien de ce que tu écris n'est perdu. (code { $code })
away_done = C'est fait. J'ai eu une coupure avant de pouvoir te le dire.
away_done_for = { $name }, ce que tu m'as demandé il y a un moment est fait. J'ai eu une coupure avant de pouvoir te le dire.
away_tried_for = { $name }, je n'arrive que maintenant à ce que tu m'as demandé il y a un moment, et rien n'a changé. Réessaie si tu le veux encore.
away_late = Je n'étais pas là quand tu as écrit ça. { $answer }
gave_up = J'ai essayé plusieurs fois, sans y arriver. La personne qui me fait tourner peut y jeter un œil ; en attendant, demande-le autrement.
away_missed = Je n'étais pas là quand tu as posé ta question. Si tu veux encore savoir, redemande-moi.
direct_messages = Je me souviens des gens serveur par serveur ; en message privé, je ne garde que notre discussion, pendant une heure. Dis-moi ça sur un serveur où je suis.
attached = C'est devenu long : le voici en fichier.
remembered_in_public =
    📌 Gardé rien que pour toi.
    Personne d'autre ne l'apprendra, pas même un modèle d'IA. Tu le retrouves avec /memory show.
remembered_private =
    📌 Gardé rien que pour toi : { $fact }
    Personne d'autre ne l'apprendra, pas même un modèle d'IA. Tu le retrouves avec /memory show.
replaced = À la place de : { $facts }
still_true = C'est toujours vrai ? { $facts }
not_empty = Qu'est-ce que je dois retenir ? Réponds à un message par « retiens ceci », ou dis « { $bot } retiens que … ».
not_secret = Ça ressemble à un mot de passe, à une clé ou à un numéro de carte, alors je ne le garde pas. Mieux vaut supprimer aussi le message.
not_own_words = Ça, ce sont mes propres mots. Réponds à ce que quelqu'un a écrit, et je le retiendrai.
not_gone = Ce message n'est plus là, alors je n'en garde rien.
not_named = Ça nomme une personne qui ne veut pas que je me souvienne d'elle, alors je ne le garde pas.
not_order = Je retiens des faits, pas des consignes, alors ça, je ne le garde pas.
not_sensitive = Ça touche à { $matter }. Ce genre de chose, je ne le garde que si la personne me le dit elle-même.
not_confirm = Ça touche à { $matter } : dis-le-moi à ton propre sujet, puis confirme.
not_opted_out = { $name } ne veut pas que je garde de souvenirs à son sujet, alors je ne retiens rien. Ce que je garde de toi est dans /privacy.
not_teachers = Sur ce serveur, tout le monde ne peut pas m'apprendre des choses sur les autres. { $name } peut me le dire directement.
not_teachers_server = Ici, tout le monde ne peut pas m'apprendre des choses sur le serveur. Demande à la modération de me le dire.
not_forgotten = Ça, je ne le garde pas. Il n'y a que { $name } qui puisse me le dire.
confirm_sensitive = Ça touche à { $matter }. Ce genre de chose, je ne le garde que si tu confirmes, et je ne le dis qu'à toi. Les mots ci-dessus restent dans le salon tant que tu les y laisses.
dropped = Je ne l'ai pas gardé.
keep_not = Ce n'est pas à toi d'en décider, ou c'est trop tard.
matter_health = la santé
matter_sexuality = la sexualité
matter_religion = la religion
matter_politics = la politique
matter_finances = l'argent
matter_phone = un numéro de téléphone
matter_minor = l'âge d'une personne mineure
matter_other = quelque chose de sensible
forgotten_more = J'ai aussi oublié { $count ->
        [one] { $count } autre fait qui n'était plus vrai, ou que je ne disais qu'ailleurs
       *[other] { $count } autres faits qui n'étaient plus vrais, ou que je ne disais qu'ailleurs
    }.
forgotten_hidden = 📌 C'est fait, oublié partout.
forgotten_talk = 📌 Je n'avais pas de fait comme ça. J'ai effacé de ma mémoire ce que j'ai trouvé à ce sujet.
forgotten_source = 📌 Ce que tu m'avais dit est effacé. D'autres me l'ont dit aussi, donc je le sais encore : { $facts }
forgotten_left = J'ai cherché encore une fois : quelque chose de proche est encore gardé. Le bouton montre quoi.
forgotten_partly = 📌 J'ai retiré ce que j'ai trouvé, mais il en reste.
receipt_clean = Retiré : { $removed }. J'ai cherché encore une fois à { $tables ->
        [one] { $tables } endroit
       *[other] { $tables } endroits
    } : il ne reste rien.
receipt_left = Retiré : { $removed }. En cherchant encore une fois, j'ai trouvé : { $left }.
receipt_removed = retiré : { $removed }
receipt_none = Ce détail est réservé à la personne concernée, à celle qui l'a demandé et à la modération.
receipt_attached = Le détail de ce qui a été retiré est en pièce jointe.
table_inbox = ce qu'on m'a demandé
table_chat_history = messages
table_facts = faits
table_fact_sources = sources de faits
table_user_facts = textes tirés de faits
table_notes = notes
table_historical_summaries = résumés de semaines
table_contexts = contextes
table_replies = notes sur mes réponses
table_audit = journal
table_suppressions = choses à ne plus retenir
table_members = noms
table_member_names = noms à chercher
table_slices = extraits de discussion
table_vectors = vecteurs
undo_not = Ça ne peut plus s'annuler, ou pas par toi : c'est possible pendant dix minutes, pour la personne concernée, celle qui l'a fait et la modération. Ce que quelqu'un a retiré à son propre sujet, personne d'autre ne peut le remettre.
undone = 📌 Annulé par { $name }.
back_again = 📌 C'est de retour : { $facts }
undone_words = 📌 Annulé par { $name } : « { $text } »
button_undo = Annuler
button_receipt = Qu'est-ce qui a été retiré ?
button_keep_it = Retiens-le
button_keep_server = Ça concerne le serveur
button_keep = Garde-le, rien que pour moi
button_drop = Ne le garde pas
button_confirm = #{ $number } est toujours vrai
button_correct = Corriger #{ $number }
button_strike = Rayer #{ $number }
button_strike_day = Rayer { $date }
button_strike_week = Rayer la semaine du { $date }
button_strike_month = Rayer le mois à partir du { $date }
button_restore = Rétablir #{ $number } { $fact }
button_privacy = Ce qui est gardé sur moi
button_policy = Ce que je garde
button_gone = Ce bouton vient d'une ancienne version de moi. Relance la commande.
tab_facts = Faits
tab_days = Résumés
tab_history = Historique
show_facts = **{ $name }** : { $count ->
        [one] { $count } fait
       *[other] { $count } faits
    } (page { $page } sur { $pages })
show_by_self = __Dit par { $name }__
show_by_others = __Dit par d'autres__
show_inferred = __Tiré des conversations__
show_stale = { $count ->
        [one] { $count } fait a vieilli
       *[other] { $count } faits ont vieilli
    } : je n'en parle pas tant que personne { $count ->
        [one] ne l'a confirmé
       *[other] ne les a confirmés
    }.
show_days = **{ $name }** : { $count ->
        [one] { $count } résumé
       *[other] { $count } résumés
    } (page { $page } sur { $pages })
show_no_days = Il n'y a pas encore de résumé.
show_history = **{ $name }** : ce qui a changé (page { $page })
show_no_history = Rien n'a changé.
day_before = les jours jusqu'au { $date }
day_struck = 📌 Le résumé ({ $days }) a disparu, et avec lui tes messages d'alors, sauf ceux qui m'ont appris un fait.
mark_faded = (pas confirmé depuis longtemps : je ne le dis que si on le demande)
mark_stale = (a vieilli : je n'en parle pas tant que personne ne l'a confirmé)
mark_private = (il n'y a que toi qui le vois)
mark_link = source
mark_told = ({ $times ->
        [one] dit une fois
       *[other] dit { $times } fois
    })
mark_undone = (annulé)
name_agreed = 📌 Bien : à partir de maintenant, « { $alias } » vaut pour tout le monde.
agreed = 📌 Bien, c'est donc vrai : « { $fact } »
confirmed = 📌 #{ $number } est toujours vrai, c'est noté.
corrected = 📌 #{ $number } dit maintenant : { $fact }
restore_not = Je ne peux pas le rétablir : la personne a dit autre chose à la place, et elle seule peut revenir dessus.
restored = 📌 C'est de nouveau vrai : { $fact }
change_line = { $date } { $who } { $action } { $facts }
action_remember = a dit
action_correct = a corrigé
action_confirm = a confirmé
action_restore = a rétabli
action_forget = a fait oublier
action_forget_key = a fait oublier une sorte de faits
action_forget_day = a fait oublier un résumé
action_rollback = a fait marche arrière
action_pending = a eu une question sur quelque chose de sensible
action_consent = a décidé ce qui peut être gardé
action_ignore = a fait ignorer
action_unignore = ne fait plus ignorer
action_erase = a tout effacé
action_left = a quitté le serveur, et tout a été oublié
action_purge_member = a effacé tout ce qui était gardé d'un membre
action_purge_channel = a effacé tout ce qui était gardé d'un salon
action_teachers = a décidé qui peut m'apprendre des choses
action_log = a choisi le salon du journal
action_look = a regardé ce qui est gardé
action_base_role = a dit quel rôle compte pour tout le monde
action_mode = a choisi le mode d'un salon
form_remember = Retenir ceci
form_correct = Corriger #{ $number }
form_erase = Tout effacer
field_about = À propos de qui
field_sentence = Ce qu'il faut retenir
field_audience = Qui peut le voir
field_erase = Écris « { $word } » : c'est définitif
choice_everyone = Tout le monde sur ce serveur
choice_here = Les personnes qui peuvent lire ce salon
choice_me = Rien que moi
remember_people = Je retiens ce que des gens ont écrit, avec des mots. Choisis un message comme ça.
channel_off = On m'a désactivé dans ce salon.
why = Ce que j'avais sous la main pour cette réponse :
why_unknown = Ce qui a servi à une réponse, je le garde { $days ->
        [one] { $days } jour
       *[other] { $days } jours
    }, et pour celle-ci je n'ai rien. Les confirmations et l'aide se font sans rien.
why_nothing = Rien de ma mémoire.
why_not_mine = Choisis l'une de mes réponses.
why_summaries = Résumés : { $levels }. Sources : { $links }
why_no_links = il n'en reste rien
why_gone = { $count ->
        [one] { $count } autre a changé ou a été oublié
       *[other] { $count } autres ont changé ou ont été oubliés
    } depuis.
why_kept_back = Passé sous silence, parce que tout le monde ici ne peut pas lire là où on me l'a dit : { $count ->
        [one] { $count } fait
       *[other] { $count } faits
    }.
level_current_day = aujourd'hui
level_days_2_7 = les six jours d'avant
privacy_offer = Ce qui est gardé sur toi et combien de temps, ce que tu me laisses garder, ton export et de quoi tout effacer : ouvre le panneau. Je n'efface rien avant que tu le confirmes là.
privacy_nothing = Rien n'est gardé sur toi.
privacy_stored = **{ $where }** : { $messages ->
        [one] { $messages } message
       *[other] { $messages } messages
    } ; { $facts ->
        [one] { $facts } fait
       *[other] { $facts } faits
    } sur toi ({ $by_others ->
        [one] { $by_others } dit
       *[other] { $by_others } dits
    } par d'autres), { $retired ->
        [one] { $retired } qui n'est plus vrai
       *[other] { $retired } qui ne sont plus vrais
    } ; { $about_others ->
        [one] { $about_others } fait
       *[other] { $about_others } faits
    } que tu m'as dits sur d'autres ; { $summaries ->
        [one] { $summaries } résumé
       *[other] { $summaries } résumés
    } ; du { $oldest } au { $newest }.
privacy_consent = Ce que tu me laisses garder { $where } : **{ $consent }**.
privacy_ignored = L'équipe qui gère ce serveur m'a demandé de t'ignorer : je ne garde rien de toi ici.
where_here = sur ce serveur
where_everywhere = partout
where_other = serveur { $guild }
consent_on = tout
consent_explicit = seulement les faits qu'on me dit
consent_off = rien
consent_sure_off = Si tu choisis ça, voici ce qui change { $where } : je ne garderai plus aucun de tes messages, ni aucun fait ni aucune note sur toi, peu importe de qui ça vient. Les messages où d'autres te mentionnent restent. Je supprimerai tout ceci :
consent_sure_explicit = Si tu choisis ça, voici ce qui change { $where } : je ne garderai plus que les faits qu'on me dit sur toi. Je supprimerai mes copies de tes messages et leurs résumés :
consent_undo = Pendant dix minutes, tu peux annuler ici.
form_consent = Ce que je garde
field_consent = Écris « { $word } » ; annulable 10 minutes
field_consent_direct = Écris « { $word } » ; pas annulable ici
consent_now_on = Désormais, je peux me souvenir de toi { $where }.
consent_now_explicit = Désormais, je ne garde { $where } que les faits qu'on me dit sur toi. Tes messages et leurs résumés ont disparu.
consent_now_off = Désormais, { $where } : je ne garde aucun de tes messages, ni faits ni notes à ton sujet, d'où qu'ils viennent. Ce qui était gardé a disparu. Les messages où d'autres te mentionnent restent.
button_consent_on_here = Ici : souviens-toi de moi
button_consent_explicit_here = Ici : seulement les faits
button_consent_off_here = Ici : rien
button_consent_on_everywhere = Partout : souviens-toi de moi
button_consent_explicit_everywhere = Partout : seulement les faits
button_consent_off_everywhere = Partout : rien
button_export_here = Exporter (ici)
button_erase_here = Effacer (ici)
button_export_everywhere = Exporter (partout)
button_erase_everywhere = Effacer (partout)
export_done = Tout ce qui est gardé sur toi, en JSON et en version lisible.
erase_not = Rien n'a été effacé : ce n'était pas le bon mot.
erased = Tout ce qui était gardé sur toi a disparu ; une seconde recherche n'a rien trouvé. Ce que les autres ont écrit reste à eux ; pour ne plus y figurer non plus, choisis « rien ». Le détail de ce qui a été retiré est en pièce jointe.
erased_left = C'est effacé, mais une seconde recherche a encore trouvé quelque chose ; la pièce jointe dit où. Appuie encore une fois, ou préviens la personne qui me fait tourner.
greeting = Bonjour ! Je me souviens des gens de ce serveur. Je lis les salons que je vois, je garde les messages { $retention } jours et je résume ce qui se passe, pour que mes réponses vous connaissent. Avec /privacy, chacun voit, corrige et efface ce que je sais de lui. Si tu gères ce serveur, appuie sur « Configurer ».
manage_denied = Pour ça, il faut la permission Gérer le serveur.
teachers_anyone = Tout le monde peut m'apprendre des faits sur les autres ; chaque fait dit de qui il vient, et la personne concernée peut le rayer.
teachers_self = Désormais, chaque personne ne peut m'apprendre des faits que sur elle-même.
teachers_moderators = Désormais, seule la modération peut m'apprendre des faits sur les autres.
base_role_set = { $role } compte pour tout le monde : ce que ses membres peuvent lire, je peux le dire dans tous les salons qu'ils lisent. Dans un salon ouvert aussi aux personnes qui viennent d'arriver, je ne dis que ce qui vient de ce salon.
base_role_none = Aucun rôle ne compte pour tout le monde : c'est @everyone.
base_role_is = { $role } compte pour tout le monde.
base_role_likely = On dirait que tous les membres d'ici ont { $role } : si c'est bien le cas, dis-le avec `/memory-admin base-role`.
log_set = Quand quelqu'un utilise ces commandes, je le signale dans { $channel }.
log_off = Quand quelqu'un utilise ces commandes, je ne le signale dans aucun salon.
mode_off = Je me tais dans { $channel } : je n'y lis rien et n'y dis rien. Ce que j'ai déjà gardé reste tant que tu ne l'effaces pas.
mode_talk = Dans { $channel }, je discute et je ne retiens rien de ce qui s'y dit, sauf les faits qu'on me demande de retenir.
mode_remember = Dans { $channel }, je discute et je retiens.
ignored = À partir de maintenant, j'ignore { $name } : plus de réponses, et je ne garde plus rien. Ce qui est déjà gardé reste tant que tu ne l'effaces pas.
unignored = Je n'ignore plus { $name }.
button_purge_channel = Effacer tout ce que je garde de ce salon
button_purge_member = Effacer tout ce que je garde sur { $name }
button_rollback = Retirer { $count ->
        [one] { $count } fait
       *[other] { $count } faits
    }
purge_channel_sure = J'efface tout ce que je garde de { $channel } : les messages, les faits qu'on y a dits et ce qui en a été tiré ? Impossible de revenir en arrière.
purge_member_sure = J'efface tout ce que je garde sur { $name } : { $messages ->
        [one] { $messages } message
       *[other] { $messages } messages
    }, { $facts ->
        [one] { $facts } fait
       *[other] { $facts } faits
    }, { $summaries ->
        [one] { $summaries } résumé
       *[other] { $summaries } résumés
    } ? Impossible de revenir en arrière.
purged_channel = Tout ce que je gardais de { $channel } a disparu : { $count ->
        [one] { $count } élément
       *[other] { $count } éléments
    }.
purged_member = Tout ce que je gardais sur { $name } a disparu : { $count ->
        [one] { $count } élément
       *[other] { $count } éléments
    }.
rollback_none = { $name } ne m'a rien appris pendant ce temps.
rollback_sure = { $name } m'a appris { $count ->
        [one] { $count } fait
       *[other] { $count } faits
    } pendant ce temps. { $count ->
        [one] Je le retire
       *[other] Je les retire
    } ? Tu auras dix minutes pour annuler.
rolled_back = C'est retiré : { $count ->
        [one] { $count } fait appris
       *[other] { $count } faits appris
    } de { $name }.
audit = **Journal** (page { $page })
audit_empty = Rien pour l'instant.
command_memory = Ce que je retiens des gens d'ici
command_show = Ce que je sais ici de toi ou de quelqu'un d'autre : faits, résumés, sources
command_history = Ce qui a changé sur toi ou quelqu'un d'autre, et ce qui peut être rétabli
command_remember = Retenir quelque chose sur quelqu'un
command_forget = Oublier quelque chose sur toi ou quelqu'un d'autre
command_forget_key = Oublier tous les faits d'une même sorte
command_privacy = Ce qui est gardé sur toi, ce que tu me laisses garder, exporter, effacer
command_help = Ce que je sais faire, et comment me le demander
command_status = Comment je vais : version, messages gardés, quota d'IA
command_admin = Pour l'équipe qui gère ce serveur
command_teachers = Qui peut m'apprendre des faits sur les autres
command_channel = Ce que je fais dans un salon : rien, discuter ou retenir
command_ignore = Ne plus répondre à un membre et ne rien en retenir
command_purge_channel = Effacer tout ce que je garde d'un salon
command_purge_member = Effacer tout ce que je garde sur quelqu'un
command_rollback = Retirer ce que quelqu'un m'a appris récemment
command_audit = Ce qui a été fait avec ces commandes
command_base_role = Le rôle qu'ont tous les membres
command_log = Signaler dans un salon l'usage de ces commandes
option_member = Qui ; toi, si tu laisses vide
option_whom = Qui
option_fact = Ce qu'il faut retenir, en une phrase
option_which = Quel fait ; tape pour en choisir un, ou dis-le avec tes mots
option_key = Quelle sorte, par exemple travail ou loisir
option_teachers = anyone (tout le monde), self (chaque personne sur elle-même), moderators (modération)
option_mode = off (rien), talk (discuter), remember (retenir)
option_channel = Quel salon ; celui-ci, si tu laisses vide
option_ignored = False pour ne plus ignorer
option_teacher = Qui me l'a appris
option_hours = Sur combien d'heures en arrière
option_base_role = Le rôle ; @everyone, s'il n'y en a pas
option_log = Quel salon ; aucun, si tu laisses vide
menu_remember = Retiens ceci
menu_why = Pourquoi ?
menu_what = De quoi te souviens-tu ?
help =
    Commence par « { $bot } », mentionne-moi ou réponds-moi.
    • Pour retenir : **{ $bot } retiens qu'Anne joue du violoncelle**
    • Pour voir ce que je sais : **{ $bot } que sais-tu de @nom** (ou « de moi »)
    • Pour retrouver : **{ $bot } qui a réparé le four ?**
    • Pour supprimer : **{ $bot } oublie que …**
    • Pour te mettre à jour : **{ $bot } qu'est-ce que j'ai raté**
    • Pour m'arrêter : `/privacy`
status =
    Version { $version }. Messages de ce serveur gardés : { $messages } ; en attente d'écriture : { $pending }.
    Les jours suivent le fuseau { $zone }.
    { $models }
status_model = { $model } : { $calls ->
        [one] { $calls } appel
       *[other] { $calls } appels
    } aujourd'hui{ $limit }, { $tokens ->
        [one] { $tokens } token
       *[other] { $tokens } tokens
    }{ $blocked }
status_blocked = , quota épuisé jusqu'à { $until }
presence_facts_only = Faits seulement : mon IA ne répond pas
presence_facts_only_until = Faits seulement jusqu'à { $until }
presence_nothing_new = Je ne lis rien de nouveau : mon IA ne répond pas
presence_nothing_new_until = Je ne lis rien de nouveau jusqu'à { $until }
status_bad_key = , sa clé n'est pas acceptée
status_unknown_model = , aucun modèle ne porte ce nom
status_minute_out = , quota épuisé pour cette minute
status_day_out = , quota épuisé pour aujourd'hui
status_unreachable = , ne répond pas
status_dropped = Événements Discord que je n'ai pas pu lire : { $count }
status_whole = Rien ne manque dans ce salon depuis { $since }
status_missing = Je lis encore ce qui a été écrit ici depuis { $since }
status_skew = L'horloge de ma machine est décalée de { $seconds } secondes ; la personne qui me fait tourner devrait la régler
status_catching_up = Je rattrape ce que j'ai manqué : { $read } sur { $count ->
        [one] { $count } salon
       *[other] { $count } salons
    }
status_parked = Tâches bloquées jusqu'à ce que la personne qui me fait tourner y jette un œil : { $count } (urmom-bot parked)
status_failing = Tâches de fond qui échouent sans cesse : { $names }
status_no_ai = Aucune IA n'est configurée : je ne fais que retenir des faits et les redire.
found_anyway =
    Mais voici ce qui s'est dit ici :
    { $lines }
recall_found =
    Voici ce que j'ai trouvé :
    { $lines }
recall_nothing = Je n'ai rien trouvé là-dessus ici.
missed = Depuis ton dernier message ({ $since }), ça a discuté ici : { $channels }.
missed_nothing = Rien de neuf ici depuis ton dernier message ({ $since }).
command_recall = Retrouver ce qui s'est dit ici
option_question = Que cherches-tu ?
why_found = Trouvé par une recherche : { $links }
reset_done = 📌 C'est fait, on repart de zéro. Ce qu'on a décidé, je m'en souviens.
subject_closed = 📌 D'accord, on change de sujet. J'ai clos ta partie de la conversation. Les autres peuvent continuer la leur.
reset_nothing = On n'a pas de discussion en cours ici.
busy = Un instant, je réponds encore à d'autres ici. Redemande-moi quand j'aurai fini.
direct_session = Je garde cette discussion une heure au plus, et plus rien ensuite.
answered_before = Tu me l'as déjà demandé, et j'avais dit :
gathered = Voilà ce que j'ai compris de ce que tu as dit. C'est bien ça ? { $fact }
changed = Le { $date }, j'ai noté à ton sujet : « { $note } ». Est-ce que ceci est toujours vrai ? { $fact }
status_session = { $channel } : { $turns ->
        [one] { $turns } tour
       *[other] { $turns } tours
    }, { $tokens ->
        [one] { $tokens } token
       *[other] { $tokens } tokens
    } dans le dernier prompt ({ $parts }){ $over }
status_over = , au-dessus de son budget : { $parts }
command_reset = Reprendre notre conversation de zéro
table_sessions = conversations
table_turns = tours de conversation
table_segments = parties de conversations
table_conclusions = conclusions
table_topics = sujets
table_answers = réponses gardées
topics_heading = { $count ->
        [one] { $count } sujet
       *[other] { $count } sujets
    }
topics_none = Il n'y a pas encore de sujets : ils naissent de ce qu'on règle en discutant ensemble.
topic_line = **{ $name }** ({ $count ->
        [one] { $count } ligne
       *[other] { $count } lignes
    }), { $when }
topic_replaced = (remplacé le { $when })
topic_since = (dit pour la première fois le { $when })
topic_heading = **{ $name }** : { $count ->
        [one] { $count } ligne
       *[other] { $count } lignes
    }
topic_none = Je ne connais pas ce sujet ici.
topic_denied = Les sujets, c'est la modération qui les modifie ; tes propres lignes, tu peux les supprimer.
topic_renamed = { $name } s'appelle maintenant { $new }.
topic_name_taken = Impossible de l'appeler { $new } : ce nom est déjà pris, ou ce n'en est pas un.
topic_merged = Les lignes de { $name } sont maintenant dans { $into }.
topic_merge_not = Ces deux-là ne peuvent pas être réunis : ce ne sont pas les mêmes personnes qui peuvent les lire.
topic_dropped = La page { $name } n'est plus là ; ce qu'il y avait dessus se retrouve encore si on le demande.
button_drop_line = Supprimer { $number }
command_topics = Montrer les sujets de ce serveur
command_topic = Sujets : ce qu'on a décidé et découvert
command_topic_show = Montrer la page d'un sujet
command_topic_rename = Donner un autre nom à un sujet
command_topic_merge = Déplacer les lignes d'un sujet vers un autre
command_topic_drop = Supprimer la page d'un sujet ; ses lignes restent
option_topic = Le sujet
option_new_name = Son nouveau nom
option_into = Le sujet qui les reçoit
status_prompts_over = Prompts au-dessus de leur budget depuis mon démarrage : { $parts }
share_used = Tu as utilisé ta part de mon IA pour le moment, il faut que les autres aient la leur. Redemande-moi { $until }. Les faits marchent toujours : retiens, oublie, que sais-tu de …
not_full = Je ne garde qu'un certain nombre de faits dits par une personne sur une autre, et il n'y a plus de place. Fais-m'en oublier un des tiens, puis redis-moi celui-ci.
not_link = Je ne garde pas les invitations.
not_unclear = Ce n'est pas une phrase claire sur { $name }. Dis-le-moi plutôt dans un message (« Bot retiens que … »).
confirm_unread = Je ne lis pas assez bien cette langue pour savoir si c'est privé. Fais-le-moi garder seulement si ça ne touche ni à la santé, ni aux croyances, ni à l'amour, ni à l'argent, ni à la justice.
button_keep_other = Rien de privé : garde-le
busy_member = Une chose à la fois : je suis encore sur tes messages d'avant.
matter_affairs = des histoires de cœur
matter_origin = l'origine de quelqu'un
matter_violence = la violence
matter_family = des soucis de famille
matter_address = l'endroit où quelqu'un habite
matter_unlawful = quelque chose de honteux ou d'illégal
welcome = Avec plaisir !
stays_saved = D'accord. Je garde ce que tu viens de me dire.
stays_deleted = C'est déjà supprimé. Le bouton le fait revenir.
dropped_it = D'accord.
forgot_last = 📌 C'est fait, j'ai oublié ce que tu as dit ici : « { $text } ». Le message reste dans le salon tant que tu ne le supprimes pas.
untrue_nothing = Je ne sais pas de quoi tu parles. Dis-le avec ce qui est faux, par exemple : « oublie que j'habite à Leeds ».
nothing_deleted = D'accord. Je n'ai rien supprimé.
message_gone = J'ai effacé ma copie de ce message pour de bon. Je ne peux pas la récupérer.
forget_last_nothing = Je n'ai rien de toi ici des dix dernières minutes.
say_the_wish = Je ne sais pas bien quoi retenir ou supprimer. Dis-le ainsi : « { $bot } retiens que … » ou « { $bot } oublie que … ».
hello_no_ai = Salut ! Je ne peux pas discuter ici, mais je retiens des choses. Essaie « { $bot } retiens que … » ou « { $bot } que sais-tu de moi ».
undo_nothing = Ici, je ne peux rien annuler de plus : seulement la dernière chose que j'ai faite pour toi, et pendant dix minutes.
redo_nothing = Ici, je ne peux rien remettre : seulement ce que tu as supprimé ou annulé en dernier, et pendant dix minutes.
undo_which = Je n'ai rien gardé de ton dernier message. Avant, tu m'as dit ceci. Si c'est ça, redis « annule » : « { $text } »
which_message = De quel message parles-tu ? Je n'en vois aucun de { $name }, ni à son sujet, qui m'apprenne quelque chose. Réponds-y par « retiens ceci ».
know_today = Aujourd'hui :
know_before = Avant :
know_earlier = Plus tôt :
know_perhaps_changed = A peut-être changé :
know_said_today = Dit aujourd'hui :
button_details = Qui me l'a dit ?
button_details_of = Qui m'a parlé de { $name } ?
button_help_more = Quoi d'autre ?
help_more =
    • **{ $bot } retiens pour le serveur : la réunion est vendredi**
    • **{ $bot } retiens ceci sur @nom** — en réponse à un message, ou après une discussion
    • **{ $bot } oublie #12**, **{ $bot } annule**, **{ $bot } non, je parlais de @nom**
    • **{ $bot } qu'est-ce que j'ai raté** ; dans un fil, pas besoin de m'appeler à nouveau
    • réagis avec { $emoji } pour une blague sur ta mère ; **{ $bot } pas de blagues sur moi** y met fin
    • **{ $bot } fuseau horaire Europe/Paris** (Gérer le serveur) : quand commencent les jours de ce serveur
    • /memory show, history, remember, forget, forget-key ; /recall ; /topics ; /reset ; /privacy ; /status ; sur les messages et les personnes : Applications
    • /settings et /memory-admin, pour l'équipe qui gère ce serveur
    Je garde { $retention } jours les messages des salons que je peux lire. J'en tire des résumés et des faits, que je garde aussi : avec /privacy, tu peux voir, corriger, exporter ou effacer ce qui te concerne.
introduction = On ne se connaît pas encore : je me souviens de ce qui se dit ici. `/privacy` te montre ce que je garde de toi et te laisse tout couper.
budget_used = Ce serveur a épuisé son budget d'IA pour aujourd'hui : pas de discussion avant { $until }. Les faits marchent toujours : retiens, oublie, que sais-tu de …
button_settings = Configurer
button_memory_on = Mémoire : activer
button_memory_off = Mémoire : désactiver
button_bare_names_on = Mon nom sans virgule : activer
button_bare_names_off = Mon nom sans virgule : désactiver
button_captions_on = Décrire les images
button_captions_off = Ne pas décrire les images
button_read_ahead_on = Lire sans qu’on demande
button_read_ahead_off = Ne pas lire sans qu’on demande
button_settings_character = Mon ton …
button_jokes_on = Blagues : activer
button_jokes_off = Blagues : désactiver
button_settings_general = Langue, noms, durées…
button_settings_channel = Un salon…
button_settings_budget = Budget d'IA…
settings_title = **Configuration** — seule l'équipe qui gère ce serveur peut y toucher
settings_on = oui
settings_off = non
settings_memory = • Mémoire : **{ $state }**
settings_facts = • Faits : **{ $facts }**, dont **{ $faded }** en train de s'estomper (utilisés seulement sur demande) et **{ $stale }** plus utilisés tant que personne ne les confirme
settings_retention = • Les messages sont gardés **{ $days ->
    [one] { $days } jour
   *[other] { $days } jours
    }**
settings_language = • Langue : **{ $language }**
settings_zone = • Les jours suivent le fuseau **{ $zone }**
settings_names = • Je réponds si on m'appelle **{ $names }** ou par mon pseudo d'ici
settings_bare_names = • M'appeler sans virgule, comme dans « Bot salut » : **{ $state }**
settings_captions = • Mettre en mots images et messages vocaux, pour les retrouver : **{ $state }**
settings_read_ahead = • Lire les jours sur lesquels personne n’a posé de question, pour m’en souvenir : **{ $state }**
settings_character = • Mon ton : **{ $character }**
settings_character_wrong = Ça ne va pas comme caractère : { $most } lettres au plus, sans mot de passe, lien, ni rien de privé sur quelqu'un.
settings_teachers = • Qui peut m'apprendre des faits sur les autres : **{ $who }**
settings_jokes = • Blagues : **{ $state }**
settings_budget = • Requêtes à l'IA aujourd'hui : **{ $used }**, sans limite fixée ici
settings_budget_of = • Requêtes à l'IA aujourd'hui : **{ $used }** sur { $most }
settings_mode_off = • Je ne fais rien dans { $channels }
settings_mode_talk = • Je discute seulement, sans garder ce qui se dit, dans { $channels }
settings_no_captions = • Je ne décris pas les images dans { $channels }
settings_cannot_read = • Je ne peux pas lire { $channels }
settings_cannot_write = • Il me manque des permissions dans { $channels }
settings_all_channels = • Je peux lire et écrire dans tous les salons que je vois
settings_more = et { $count } de plus
settings_saved = A modifié la configuration
settings_names_wrong = Au plus { $most } noms séparés par des virgules, de 2 à 32 caractères chacun. Je n'ai rien changé.
settings_retention_wrong = Les messages peuvent être gardés de { $least } à { $most } jours. Je n'ai rien changé.
settings_budget_wrong = Écris un nombre entier, ou laisse vide pour ne pas mettre de limite. Je n'ai rien changé.
form_general = Langue, noms, durées
form_character = Mon ton sur ce serveur
form_channel = Ce que je fais dans un salon
form_budget = Budget d'IA
field_language = Langue quand je ne peux pas deviner
field_zone = Fuseau horaire
field_names = D'autres noms pour moi (a, b, c)
field_character = Caractère
field_character_own = Avec tes mots (si tu l'as choisi)
field_teachers = Qui peut m'apprendre des faits sur les autres
field_retention = Garder les messages, en jours (1–{ $most })
field_channel = Salon
field_mode = Ce que j'y fais
field_captions = Images et messages vocaux là-bas
field_budget = Requêtes par jour (vide : sans limite)
language_any = celle de la personne qui écrit
character_usual = amical, bref, un peu espiègle
character_warm = chaleureux et patient
character_dry = pince-sans-rire
character_lively = vif et joueur
character_own = avec tes mots
who_anyone = tout le monde
who_self = seulement la personne concernée
who_moderators = la modération
what_off = rien
what_talk = je discute seulement
what_remember = je discute et je retiens
captions_yes = les mettre en mots
captions_no = ne pas y toucher
action_settings = a modifié la configuration
command_settings = Configurer ce que je fais sur ce serveur
say_again = C'est annulé. Redis-le-moi avec le bon nom.
which_of_two = Je n'ai rien changé : tu parles de ce que tu m'as dit, ou de ce qu'on vient de me dire sur toi ? Redis-moi la phrase entière, s'il te plaît.
which_corrected = Je n'ai rien changé : ce que tu m'as dit en dernier ne parle de personne. Redis-moi ce qui est juste.
missed_today = Depuis hier, ça a discuté ici : { $channels }.
missed_nothing_today = Rien de neuf ici depuis hier.
opted_out_yourself = Tu m'as demandé de ne pas me souvenir de toi, alors je ne retiens rien. Tu peux changer ça dans /privacy.
policy_contact = qui fait tourner ce bot
policy_grace = { $days ->
    [0] sur demande
    [one] après { $days } jour
   *[other] après { $days } jours
    }
quoted = « { $text } »
settings_memory_off = • Mémoire : **non** — je ne garde rien de ce qui se dit ici, seulement ce qu'on me demande de retenir
button_tour = Essayer
button_try_remember = Retiens quelque chose sur moi
button_try_know = Que sais-tu de moi ?
form_try = Retiens quelque chose sur moi
field_try = Par exemple : je joue du tuba
only_on_servers = Les faits appartiennent à un serveur. Appuie sur ce bouton là-bas.
tour =
    Trois choses à essayer :
    1. Dis-moi quelque chose sur toi. Je te montre la phrase, avec *Annuler*.
    2. Regarde ce que je sais de toi : chaque fait, qui l'a dit et quand.
    3. Décide ce que je peux garder, ou efface tout.
    Dans un salon, tu peux faire pareil avec des mots : **{ $bot } retiens que je joue du tuba**

# The page in a browser

command_page = Ta page dans le navigateur : tout ce que je sais de toi, d'où ça vient et comment le changer
button_page = Ouvrir ma page
page_link =
    { $link }
    -# Le lien marche une fois, pendant dix minutes, et seulement pour toi. Ne le partage pas.
page_link_words = Ouvrir ta page
page_local = -# Il mène à l'ordinateur sur lequel je tourne. La personne qui m'héberge peut ouvrir les pages à tous avec PAGE_URL.
page_off = Les pages sont désactivées. La personne qui m'héberge peut les activer avec PAGE_PORT.
page_ask_there = Chaque serveur a sa propre page. Utilise /memory page dans un serveur.
page_takes_long = Ça prend plus de temps que d'habitude. Je le ferai quand même ; recharge la page dans un instant.
page_a_channel = un salon
page_a_role = un rôle
page_message = message
page_today = aujourd'hui
page_before = avant le { $day }
page_operator = Hébergeur
page_server_unnamed = ton serveur
page_skip = Aller au contenu
page_pages = Pages
page_sections = Sur cette page
page_menu_me = Moi
page_menu_people = Personnes
page_menu_topics = Sujets
page_menu_search = Recherche
page_menu_privacy = Confidentialité
page_menu_server = Serveur
page_sign_out = Se déconnecter
page_times = Les heures sont celles de ce serveur : { $zone }.
page_what_you_see = Tu vois ce que tu pourrais aussi lire dans Discord.
page_what_is_kept = Ce que je garde, et comment l'arrêter
page_previous = Précédent
page_next = Suivant
page_number = Page { $page } sur { $pages }
page_as_table = En tableau
page_day = Jour
page_save = Enregistrer
page_cancel = Annuler
page_show = Afficher
page_home = Aller à ma page
page_facts = Faits
page_days = Jour par jour
page_answers = Mes réponses à toi
page_changes = Changements
page_models = Envoyé à l'IA
page_settings = Réglages
page_audit = Journal
page_roll_back = Annuler en bloc
page_on_discord = { $name } sur Discord
page_portrait = Les réponses sur ce membre commencent par ce texte. Je l'ai écrit { $day }.
page_facts_hint = Je n'utilise un fait que dans mes réponses à ceux qui pouvaient le lire là où il a été dit. Ouvre un fait pour voir ses sources, le corriger ou le supprimer.
page_facts_of_hint = Uniquement les faits des salons que tu peux lire. Ouvres-en un pour voir ses sources.
page_no_facts = Je ne sais encore rien de toi.
page_no_facts_hint = Dis-moi quelque chose dans Discord : « Bot retiens que je joue aux échecs ».
page_no_facts_of_hint = Personne ne m'a rien dit que tu aies le droit de lire.
page_group_check = À vérifier, s'il te plaît
page_group_check_hint = Je les ai déduits moi-même, ou personne ne les a confirmés depuis longtemps.
page_group_by_subject = Tu me l'as dit
page_group_by_subject_of = { $name } me l'a dit
page_group_by_subject_hint = La parole de la personne elle-même compte le plus.
page_group_by_others = D'autres me l'ont dit
page_group_by_others_of = D'autres me l'ont dit
page_group_by_others_hint = Si l'un d'eux est faux, tu peux le corriger ou le supprimer.
page_group_inferred = Je l'ai déduit
page_group_inferred_hint = De conversations, pas d'une demande de retenir.
page_only_you = visible par toi seul
page_everyone_may = Tout le monde sur ce serveur peut le voir.
page_some_may = Seuls ceux qui peuvent lire là où ça a été dit peuvent le voir.
page_fading = s'efface
page_stale = plus utilisé
page_holds = valable
page_no_longer = plus vrai
page_times_told = dit { $count ->
    [one] une fois
   *[other] { $count } fois
}
page_used = utilisé { $count } fois
page_used_long = Je l'ai utilisé récemment dans { $count ->
    [one] une réponse
   *[other] { $count } réponses
}.
page_who_told = Qui me l'a dit
page_days_hint = Ce que j'ai noté sur toi d'après les conversations. Si tu me fais oublier un jour, je supprime aussi mes copies de tes messages de ce jour-là.
page_days_of_hint = Ce que j'ai noté sur { $name } d'après des conversations que tu peux lire.
page_no_days = Rien de noté pour l'instant.
page_no_days_hint = Je lis les messages d'un jour quand quelqu'un pose une question, ou plus tard s'il reste du quota d'IA.
page_messages_week = Messages des 7 derniers jours
page_messages = Messages
page_changes_hint = Qui a changé quoi, pendant un an.
page_no_changes = Aucun changement pour l'instant.
page_no_changes_hint = Quand quelqu'un me dit un fait, le corrige ou le supprime, ça apparaît ici.
page_when = Quand
page_who = Qui
page_what = Quoi
page_whom = Sur qui
page_me_the_bot = moi
page_undone = annulé
page_restorable = Plus vrai
page_restorable_hint = Des faits que de plus récents ont remplacés. Tu peux les rétablir.
page_answers_hint = Mes dernières réponses à toi, des 7 derniers jours. Regarde sur quoi chacune repose.
page_no_answers = Aucune réponse ces 7 derniers jours.
page_no_answers_hint = Demande-moi quelque chose dans Discord. Tu pourras voir ici pourquoi je l'ai dit.
page_a_message = une question dont je ne garde pas le texte
page_words_gone = Je ne garde pas les mots de cette réponse. Tu peux la lire dans Discord.
page_why = Pourquoi ai-je dit ça ?
page_why_hint = Ce que je savais et ce que j'ai trouvé en écrivant la réponse, dans la mesure où tu peux le voir.
page_why_unknown = Je ne le sais plus.
page_why_unknown_hint = Je ne le garde que quelques jours, et jamais pour des réponses que d'autres ne peuvent pas retracer.
page_why_no_facts = Aucun fait.
page_why_gone = { $count ->
    [one] Un fait a disparu depuis, ou tu ne peux pas le voir.
   *[other] { $count } faits ont disparu depuis, ou tu ne peux pas les voir.
}
page_why_kept_back = { $count ->
    [one] J'ai gardé pour moi un fait sur toi : tout le monde là-bas ne peut pas le lire.
   *[other] J'ai gardé pour moi { $count } faits sur toi : tout le monde là-bas ne peut pas les lire.
}
page_why_found = Messages que j'ai trouvés
page_why_nothing = Rien de ma mémoire.
page_why_nothing_hint = La réponse n'a utilisé ni faits ni recherche.
page_about = Sur { $name }
page_models_hint = Ce que j'ai envoyé de toi et sur toi à des modèles d'IA ces 7 derniers jours, et dans quel but : tes messages, tes questions et ce que je sais de toi. Les messages privés que tu m'écris vont aussi à un modèle, mais ne sont pas comptés ici.
page_no_models = Ces 7 derniers jours, je n'ai rien envoyé de toi ni sur toi à un modèle d'IA.
page_no_models_hint = Dès que j'enverrai quelque chose, tu verras ici ce que c'était.
page_model = Modèle
page_calls = Appels
page_my_messages = Tes messages
page_sent = Tes mots qui ont été envoyés
page_sent_hint = Tes messages que j'ai envoyés à un modèle ces 7 derniers jours, sans les mots de passe ni les clés d'accès qu'ils contenaient.
page_people_hint = Les membres sur qui tu peux voir des faits.
page_no_people = Personne pour l'instant.
page_no_people_hint = Quand quelqu'un me dit un fait que tu peux lire, la personne concernée apparaît ici.
page_facts_count = { $count ->
    [one] un fait
   *[other] { $count } faits
}
page_replaced = remplacé :
page_first_said = dit pour la première fois :
page_lines_count = { $count ->
    [one] une ligne
   *[other] { $count } lignes
}
page_topics_hint = Ce que des conversations avec moi ont décidé ou trouvé.
page_no_topics = Aucun sujet pour l'instant.
page_no_topics_hint = Quand une conversation avec moi donne un résultat, je le garde ici.
page_search_label = Chercher dans ce que tu peux lire
page_search_results = Résultats
page_export_text = Télécharger (texte)
page_export_json = Télécharger (JSON)
page_sessions = Connexion
page_sessions_hint = Ce navigateur reste connecté jusqu'au { $until }, ou jusqu'à ce que tu te déconnectes.
page_sign_out_everywhere = Se déconnecter partout
page_numbers = La mémoire en chiffres
page_numbers_hint = Des nombres seulement : rien ici ne montre ce que quelqu'un a dit.
page_number_facts = Faits
page_number_members = Membres concernés
page_number_notes = Notes
page_number_messages = Messages
page_number_topics = Sujets
page_number_facts_only = Membres ayant choisi « faits seulement »
page_number_nothing = Membres ayant choisi « rien »
page_number_ignored = Membres ignorés
page_month = Les 30 derniers jours
page_messages_day = Messages par jour
page_calls_day = Appels à l'IA par jour (limite : { $most })
page_no_plots = Rien ne s'est encore passé.
page_audit_hint = Ce que les gérants et modérateurs ont fait, aussi sur des pages comme celle-ci.
page_no_audit = Rien pour l'instant.
page_roll_back_hint = Supprime ce que quelqu'un m'a dit sur d'autres ces 7 derniers jours. Tu le vois avant que quoi que ce soit soit supprimé.
page_no_teachers = Personne ne m'a rien dit sur d'autres ces 7 derniers jours.
page_no_teachers_hint = Il n'y a donc rien à annuler.
page_teacher = Dit par
page_alone_offer = Ouvrir ta page ?
page_offer_who = Tu as demandé ce lien en tant que { $name } sur « { $server } ».
page_offer_open = Ouvrir ma page
page_offer_hint = Le lien marche une fois, jusqu'au { $until }. Tu restes connecté sur ce navigateur jusqu'à 12 heures. Ce n'est pas toi ? Ferme cette fenêtre : rien n'a été ouvert.
page_alone_expired = Ce lien ne marche plus
page_alone_expired_hint = Un lien marche une fois, pendant dix minutes. Demandes-en un autre dans Discord avec /memory page.
page_alone_signed_out = Tu es déconnecté
page_alone_signed_out_hint = Pour ouvrir ta page, utilise /memory page dans ton serveur Discord.
page_alone_over = Connecte-toi, s'il te plaît
page_alone_over_hint = Ta session est terminée, ou tu as quitté le serveur. Demande un autre lien dans Discord avec /memory page.
page_alone_denied = Rien pour toi ici
page_alone_denied_hint = Soit cette page n'existe pas, soit tu n'as pas le droit de la voir.
page_alone_busy = Trop de requêtes
page_alone_busy_hint = Attends une minute, puis réessaie.
page_alone_away = Je n'arrive pas à joindre ma mémoire ou Discord
page_alone_away_hint = Rien n'est perdu. Réessaie dans un instant.
page_alone_error = Quelque chose s'est mal passé
page_alone_error_hint = Rien d'autre n'est touché. Tu peux revenir en arrière et réessayer.
page_alone_erased = C'est fait
page_alone_erased_hint = Tu es déconnecté.
page_health = État
page_healthy = Tout marche.
page_loops = Tâches de fond
page_name = Nom
page_failures = Échecs
page_error = Dernière erreur
page_parked = Tâches en échec
page_parked_hint = urmom-bot parked les relance ou les abandonne.
page_nothing = Aucune.
page_spending = Utilisation de l'IA
page_calls_today = Appels aujourd'hui
page_tokens_today = Tokens aujourd'hui
page_tokens = Tokens
page_prompts = Les derniers prompts
page_prompts_hint = Combien de tokens avait chaque partie d'un prompt. Les mots ne sont pas gardés.
page_parts = Parties
page_sizes = Tables
page_rows = Lignes (estimation)
table_page_access = liens et sessions de pages dans le navigateur
page_do_confirm = Toujours vrai
page_do_correct = Corriger
page_do_strike = Oublier
page_do_strike_day = Oublier ce jour
page_do_strike_week = Oublier cette semaine
page_do_strike_month = Oublier ce mois
page_do_drop_line = Supprimer
page_do_restore = Rétablir
page_conclusions = Conclusions
page_conclusions_hint = Ce que des conversations avec moi ont décidé ou trouvé, quand elles te nomment ou reposent sur tes mots.
page_no_conclusions = Aucune conclusion pour l'instant.
page_by_kind = Par type
page_kind = Type
page_domain_work = Travail
page_domain_preferences = Préférences
page_domain_decisions = Décisions
page_domain_personal = Personnel
page_domain_projects = Projets
page_channels = Salons
page_channels_hint = Ceux que tu peux lire.
page_channel = Salon
page_what_i_do = Ce que je fais
page_who_reads = Qui peut l'entendre
page_read_until = Lu jusqu'à
page_missing = Permissions manquantes
page_mode_off = rien
page_mode_talk = seulement discuter
page_mode_remember = discuter et retenir
page_everyone = tout le monde
page_some = ceux qui peuvent le lire
page_ai_uses = À quoi sert l'IA
page_what_for = Usage
page_use_reply = Réponses
page_use_memory = Notes et textes courts sur les membres
page_use_digest = Résultats de conversations
page_use_media = Images et messages vocaux
page_use_ahead = Jours sur lesquels personne n'a posé de question
button_settings_posts = Récap, anniversaires…
button_recap_preview = Aperçu du récap
settings_recap = • Un récap chaque lundi : **{ $state }**
settings_birthdays = • Vœux d'anniversaire : **{ $state }**
settings_posts_in = • Je publie ça dans { $channel }
form_posts = Ce que je publie de moi-même
field_post_channel = Où je publie
field_recap = Un récap chaque lundi
field_birthdays = Vœux d'anniversaire
recap = **Du { $since } au { $until } : notre semaine**
recap_decided = **Ce qui a été décidé**
recap_happened = **Ce qui s'est passé**
recap_helped = **Qui a aidé**
recap_quotes = **Les phrases de la semaine**
recap_end = -# Tiré des salons publics. Pour ne pas y figurer : `/privacy`.
recap_previewed = -# Visible uniquement par toi : le récap des sept derniers jours, tel que je l'écrirais maintenant.
recap_without_ai = -# Visible uniquement par toi. Mon IA ne répond pas : voici mes notes telles quelles.
recap_empty = Ces sept derniers jours, je n'ai rien noté qui ait sa place dans un récap.
birthday_wish = 🎂 Joyeux anniversaire, { $names } !
table_posts = ce que j'ai publié de moi-même
table_model_calls = relevés de ce qui a été envoyé à des modèles d'IA
page_talks = Conversations en cours
page_talks_hint = Une conversation se termine quand personne ne m'écrit pendant { $minutes } minutes. Ce qui en ressort apparaît alors ci-dessous.
page_talk = { $count ->
    [one] { $count } message
   *[other] { $count } messages
    }
page_offline = Je suis injoignable pour l'instant. Tes clics resteront sans effet jusqu'à mon retour.
page_again = Réessayer
page_sign_in = Se connecter avec Discord
page_alone_choose = Choisis un serveur
page_alone_choose_hint = Je te connais par ces serveurs. Choisis-en un pour voir ce que j'y sais de toi.
page_alone_not_signed_in = La connexion n'a pas abouti
page_alone_not_signed_in_hint = Discord n'a pas dit qui tu es. Réessaie, ou demande un lien dans Discord avec /memory page.
page_alone_unknown = Je ne sais rien de toi
page_alone_unknown_hint = Je n'ai rien sur toi, sur aucun de mes serveurs. Tu peux quand même ouvrir ta page avec /memory page sur ton serveur Discord.
missed_to_you = **On t'a écrit**
missed_yours = **À ton sujet**
missed_news = **Et aussi**
missed_more = J'ai noté { $count ->
    [one] encore une chose
   *[other] encore { $count } choses
    }. Demande si tu veux en savoir plus.
page_used_for = Utilisé pour
page_confidence_high = Fiabilité : élevée.
page_confidence_medium = Fiabilité : moyenne.
page_confidence_low = Fiabilité : faible.
page_week = Semaine du { $since }
page_tokens_day = Tokens de l'IA par jour, c'est ce qui est facturé
page_no_facts_of = Je ne sais rien sur { $name } que tu puisses voir.
correct_sensitive = C'est sensible. Ce genre de chose, je ne le garde que pour toi, et seulement si tu es d'accord. Dis-le-moi dans le chat : « Bot retiens que … », et je te demanderai de confirmer.
consent_explicit_do = Ne garder que les faits
consent_off_do = Ne rien garder
page_calls_day_free = Appels à l'IA par jour (sans limite)
page_processes = Processus
page_processes_hint = Tous ceux qui partagent cette base de données. Le reste de cette page, quand aucun processus n'est nommé, concerne le processus { $process }.
page_started = Démarré
page_alive = Dernier signe de vie
page_shards = Shards
page_waiting = En attente
page_number_faded = Dont en train de s'estomper (utilisés seulement sur demande)
page_number_stale = Dont plus utilisés tant que personne ne les confirme
