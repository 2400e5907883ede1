remembered = 📌 Запомнил: { $fact }
remembered_as_said = 📌 Запомнил слово в слово: { $fact }
remembered_server = 📌 Запомнил, для всего сервера: { $fact }
alias_waits = «{ $alias }» станет именем для всех, когда { $name } подтвердит его: здесь словами «Бот да» или в `/memory show`. Пока это имя знаешь только ты.
already_known = 📌 Это я уже знал, и это по-прежнему так: { $fact }
subject_unknown = Кто это? Я не знаю здесь никого по имени «{ $name }». Упомяни человека (@имя), и я пойму.
subject_missing = О ком речь? Упомяни человека (@имя) или начни с имени: «{ $bot } запомни, что @имя любит шахматы».
subject_missing_forget = О ком речь? Упомяни человека (@имя) или начни с имени: «{ $bot } забудь, что @имя любит шахматы».
which_of = Кого ты имеешь в виду: { $names }? Упомяни нужного человека (@имя).
forgotten = 📌 Готово, забыл: { $facts }
nothing_to_forget = { $name }? Ничего такого я не помню.
nothing_like_that = Ничего такого я не помню.
nearest =
    Самое похожее из того, что знаю:
    { $facts }
    Чтобы я это забыл, скажи «{ $bot } забудь #{ $number }».
candidates =
    { $name }: что из этого забыть?
    { $facts }
    Скажи «{ $bot } забудь #{ $number }».
forget_all_hint = Чтобы удалить сразу всё о { $name }, есть `/memory-admin purge-member`.
channel_by_command = Целый канал я по одному сообщению не стираю. Если ты управляешь сервером, `/settings` закроет его для меня, а `/memory-admin purge-channel` сотрёт всё, что я из него храню. Для твоих собственных сообщений есть /privacy.
no_such_fact = Факта #{ $number } у меня здесь нет.
not_yours = Попросить меня забыть это может только { $name }, тот, кто это рассказал, или модератор: { $facts }
not_yours_server = Попросить меня забыть это может только тот, кто это рассказал, или модератор: { $facts }
know = **{ $name }**: { $context }
know_facts =
    Что мне рассказали:
    { $facts }
know_more = … и ещё { $count ->
    [one] { $count } факт
    [few] { $count } факта
   *[other] { $count } фактов
}. Всё покажет *{ button_details }*.
know_nothing = { $name }? Пока ничего не знаю.
know_activity = { $name } за последние 7 дней: { $count ->
        [one] { $count } сообщение
        [few] { $count } сообщения
        [many] { $count } сообщений
       *[other] { $count } сообщения
    }, { $days ->
        [one] { $days } активный день
        [few] { $days } активных дня
        [many] { $days } активных дней
       *[other] { $days } активного дня
    }.
fact_line =
    #{ $number } { $fact }
    -# { $teller }, { $date }
teller_self = из первых уст
someone = кто-то
jokes_off = 📌 Больше не шучу про тебя.
jokes_on = 📌 Хорошо, про тебя снова можно шутить.
jokes_by_command = Я могу перестать шутить только про тебя: скажи «{ $bot } не шути про меня». Для всех шутки включает и отключает в `/settings` тот, кто управляет сервером.
settings_by_command = Это меняется в `/settings`, если ты управляешь сервером. Что я храню о тебе и можно ли про тебя шутить — в `/privacy`.
zone_set = 📌 Дни на этом сервере теперь идут по времени { $zone }.
zone_denied = Чтобы сменить часовой пояс, нужно право «Управлять сервером».
zone_unknown = Не знаю часового пояса { $zone }. Напиши, например, Europe/Moscow или UTC.
no_ai = Поболтать здесь не могу: ИИ не настроен. Но факты запоминаю и рассказываю: скажи «{ $bot } помощь».
quota_out = Моя квота ИИ закончилась, до { $until } поболтать не выйдет. Факты по-прежнему работают: запомни, забудь, что ты знаешь о …
ai_away = Мой ИИ сейчас не отвечает. Факты по-прежнему работают: запомни, забудь, что ты знаешь о …
ai_refused = Мой ИИ отказался на это отвечать.
ai_unusable = Не смог разобрать ответ своего ИИ. Спросишь другими словами?
keep_this = Запомнить это? «{ $text }»
forget_one =
    Забыть это?
    { $facts }
forget_this =
    Забыть что-то из этого?
    { $facts }
not_told = Об этом я ничего не скажу.
known_anyway =
    Что я знаю и без него:
    { $facts }
error = У меня что-то пошло не так, и сделать это не вышло. Если повторится, передай моему владельцу этот код: { $code }
database_away = Сейчас не могу добраться до своей памяти. Вернусь к этому, как только она оживёт; ничего из написанного не пропадёт. (код { $code })
away_done = Готово. Меня прервали, и я не успел об этом сказать.
away_done_for = { $name }, твоя недавняя просьба выполнена. Меня прервали, и я не успел об этом сказать.
away_tried_for = { $name }, я только сейчас добрался до твоей недавней просьбы, и ничего не изменилось. Если это ещё нужно, попробуй снова.
away_late = Меня не было, когда пришло это сообщение. { $answer }
gave_up = Я пробовал снова и снова, и не вышло. Тот, кто меня запускает, может посмотреть; пока спроси другими словами.
away_missed = Меня не было, когда пришёл этот вопрос. Если ещё интересно, спроси снова.
direct_messages = Людей я помню на серверах, а из личных сообщений — только сам разговор, и то час. Скажи это на сервере, где я есть.
attached = Получилось длинно, держи файлом.
remembered_in_public =
    📌 Сохранил только для тебя.
    Больше этого не узнает никто, и ни одна модель тоже. Посмотреть можно в /memory show.
remembered_private =
    📌 Сохранил только для тебя: { $fact }
    Больше этого не узнает никто, и ни одна модель тоже. Посмотреть можно в /memory show.
replaced = Раньше было: { $facts }
still_true = А это ещё верно? { $facts }
not_empty = Что запомнить? Ответь на сообщение словами «запомни это» или скажи: { $bot } запомни, что …
not_secret = Похоже на пароль, ключ или номер карты. Такого я не храню. Лучше удали и само сообщение.
not_own_words = Это мои собственные слова. Ответь на то, что написал человек, и я запомню.
not_gone = Этого сообщения больше нет, так что ничего из него не сохраню.
not_named = Там упомянут человек, который не хочет, чтобы его помнили, так что этого не сохраню.
not_order = Я запоминаю факты, а не указания, так что этого не сохраню.
not_sensitive = Это про { $matter }. Такое я храню, только если человек сам рассказывает о себе.
not_confirm = Это про { $matter }: расскажи это о себе и подтверди.
not_opted_out = { $name } не хочет, чтобы я что-то запоминал, поэтому ничего не сохраню. Что я храню о тебе — в /privacy.
not_teachers = На этом сервере не всем можно рассказывать мне о других. Но { $name } может рассказать мне о себе.
not_teachers_server = Здесь не всем можно рассказывать мне о сервере. Попроси кого-нибудь из модераторов.
not_forgotten = Этого я не сохраню. Рассказать мне это может только { $name }.
confirm_sensitive = Это про { $matter }. Такое я храню, только если ты подтвердишь, и говорю только тебе. Слова выше останутся в канале, пока ты их не удалишь.
dropped = Не сохранил.
keep_not = Это решать не тебе, или время уже вышло.
matter_health = здоровье
matter_sexuality = сексуальность
matter_religion = религию
matter_politics = политику
matter_finances = деньги
matter_phone = номер телефона
matter_minor = возраст несовершеннолетних
matter_other = что-то личное
forgotten_more = Заодно { $count ->
        [one] ушёл ещё { $count } факт
        [few] ушло ещё { $count } факта
        [many] ушло ещё { $count } фактов
       *[other] ушло ещё { $count } факта
    }: из устаревших или из тех, о которых я говорил только в другом месте.
forgotten_hidden = 📌 Готово, стёр отовсюду.
forgotten_talk = 📌 Такого факта у меня не было. Стёр из памяти то, что об этом нашёл.
forgotten_source = 📌 То, что рассказал ты, я стёр. Другие рассказали то же, поэтому я это помню: { $facts }
forgotten_left = Я поискал ещё раз: что-то похожее ещё хранится. Кнопка покажет, что.
forgotten_partly = 📌 Я стёр, что нашёл, но кое-что осталось.
receipt_clean = Удалено: { $removed }. Я заново проверил { $tables ->
        [one] { $tables } место
        [few] { $tables } места
        [many] { $tables } мест
       *[other] { $tables } места
    } и ничего не нашёл.
receipt_left = Удалено: { $removed }. Повторный поиск ещё нашёл: { $left }.
receipt_removed = удалено: { $removed }
receipt_none = Посмотреть это могут только тот, о ком речь, тот, кто попросил удалить, и модераторы.
receipt_attached = Что именно удалено — в файле.
table_inbox = просьбы ко мне
table_chat_history = сообщения
table_facts = факты
table_fact_sources = источники фактов
table_user_facts = тексты из фактов
table_notes = заметки
table_historical_summaries = сводки недель
table_contexts = контексты
table_replies = записи об ответах
table_audit = журнал
table_suppressions = запреты
table_members = имена
table_member_names = имена для поиска
table_slices = отрезки разговоров
table_vectors = векторы
undo_not = Это уже не отменить, или отменить можешь не ты. Десять минут на отмену есть у того, о ком речь, у того, кто это изменил, и у модераторов. А то, что человек убрал о себе, вернёт только он сам.
undone = 📌 Отменено ({ $name }).
back_again = 📌 Снова помню: { $facts }
undone_words = 📌 Отменено ({ $name }): «{ $text }»
button_undo = Отменить
button_receipt = Что удалено?
button_keep_it = Запомнить
button_keep_server = Это о сервере
button_keep = Сохранить только для меня
button_drop = Не сохранять
button_confirm = #{ $number } всё ещё верно
button_correct = Исправить #{ $number }
button_strike = Вычеркнуть #{ $number }
button_strike_day = Вычеркнуть { $date }
button_strike_week = Вычеркнуть неделю с { $date }
button_strike_month = Вычеркнуть месяц с { $date }
button_restore = Вернуть #{ $number } { $fact }
button_privacy = Что хранится обо мне
button_policy = Что я храню
button_gone = Эта кнопка осталась от моей старой версии. Вызови команду ещё раз.
tab_facts = Факты
tab_days = Сводки
tab_history = История
show_facts = **{ $name }**: { $count ->
        [one] { $count } факт
        [few] { $count } факта
        [many] { $count } фактов
       *[other] { $count } факта
    } (страница { $page } из { $pages })
show_by_self = __{ $name } о себе__
show_by_others = __Рассказали другие__
show_inferred = __Понял из разговоров__
show_stale = { $count ->
        [one] { $count } факт устарел
        [few] { $count } факта устарели
        [many] { $count } фактов устарели
       *[other] { $count } факта устарели
    }: никому такое не говорю, пока кто-нибудь не подтвердит.
show_days = **{ $name }**: { $count ->
        [one] { $count } сводка
        [few] { $count } сводки
        [many] { $count } сводок
       *[other] { $count } сводки
    } (страница { $page } из { $pages })
show_no_days = Сводок пока нет.
show_history = **{ $name }**: что менялось (страница { $page })
show_no_history = Ничего не менялось.
day_before = дни до { $date }
day_struck = 📌 Сводки ({ $days }) больше нет, а с ней и твоих сообщений за это время, кроме тех, где был факт.
mark_faded = (давно не подтверждалось: скажу, только если спросят)
mark_stale = (устарело: никому не скажу, пока не подтвердят)
mark_private = (видно только тебе)
mark_link = источник
mark_told = ({ $times ->
        [one] рассказано { $times } раз
        [few] рассказано { $times } раза
        [many] рассказано { $times } раз
       *[other] рассказано { $times } раза
    })
mark_undone = (отменено)
name_agreed = 📌 Хорошо: теперь «{ $alias }» понимаю у всех.
agreed = 📌 Хорошо, значит, так и есть: «{ $fact }»
confirmed = 📌 Отметил: #{ $number } всё ещё верно.
corrected = 📌 #{ $number } теперь звучит так: { $fact }
restore_not = Это не вернуть: вместо этого человек сам сказал другое, и отменить это может только он.
restored = 📌 Снова верно: { $fact }
change_line = { $date } { $who }: { $action } { $facts }
action_remember = добавлено
action_correct = исправлено
action_confirm = подтверждено
action_restore = возвращено
action_forget = забыто
action_forget_key = забыт целый вид фактов
action_forget_day = забыта сводка
action_rollback = откат фактов
action_pending = задан вопрос о личном
action_consent = выбрано, что можно хранить
action_ignore = больше не замечать
action_unignore = снова замечать
action_erase = стёрто всё
action_left = уход с сервера, всё забыто
action_purge_member = удалено всё об участнике
action_purge_channel = удалено всё из канала
action_teachers = выбрано, кто рассказывает о других
action_log = выбран канал журнала
action_look = просмотр того, что хранится
action_base_role = выбрана роль, которая есть у всех
action_mode = выбран режим канала
form_remember = Запомнить это
form_correct = Исправить #{ $number }
form_erase = Стереть всё
field_about = О ком
field_sentence = Что запомнить
field_audience = Кому это видно
field_erase = Введи «{ $word }»: вернуть не получится
choice_everyone = Всем на этом сервере
choice_here = Тем, кто читает этот канал
choice_me = Только мне
remember_people = Я запоминаю то, что люди написали словами. Выбери такое сообщение.
channel_off = В этом канале я выключен.
why = На что я опирался в этом ответе:
why_unknown = На что опирался ответ, я помню { $days ->
        [one] { $days } день
        [few] { $days } дня
        [many] { $days } дней
       *[other] { $days } дня
    }, а об этом у меня ничего нет. Подтверждения и справка ни на что не опираются.
why_nothing = Из памяти ничего.
why_not_mine = Выбери один из моих ответов.
why_summaries = Сводки: { $levels }. Источники: { $links }
why_no_links = уже не найти
why_gone = { $count ->
        [one] Ещё { $count } факт с тех пор изменён или забыт.
        [few] Ещё { $count } факта с тех пор изменены или забыты.
        [many] Ещё { $count } фактов с тех пор изменены или забыты.
       *[other] Ещё { $count } факта с тех пор изменены или забыты.
    }
why_kept_back = Придержал { $count ->
        [one] { $count } факт
        [few] { $count } факта
        [many] { $count } фактов
       *[other] { $count } факта
    }: не все здесь могут читать там, где мне это рассказали.
level_current_day = сегодня
level_days_2_7 = шесть дней до этого
privacy_offer = Что о тебе хранится и как долго, что мне можно хранить, как скачать своё и как стереть всё: открой панель. Я ничего не стираю, пока ты не подтвердишь там.
privacy_nothing = О тебе ничего не хранится.
privacy_stored = **{ $where }**: { $messages ->
        [one] { $messages } сообщение
        [few] { $messages } сообщения
        [many] { $messages } сообщений
       *[other] { $messages } сообщения
    }; { $facts ->
        [one] { $facts } факт
        [few] { $facts } факта
        [many] { $facts } фактов
       *[other] { $facts } факта
    } о тебе (от других: { $by_others }) и { $retired ->
        [one] { $retired } уже неверный
        [few] { $retired } уже неверных
        [many] { $retired } уже неверных
       *[other] { $retired } уже неверных
    }; { $about_others ->
        [one] { $about_others } факт
        [few] { $about_others } факта
        [many] { $about_others } фактов
       *[other] { $about_others } факта
    } о других от тебя; { $summaries ->
        [one] { $summaries } сводка
        [few] { $summaries } сводки
        [many] { $summaries } сводок
       *[other] { $summaries } сводки
    }; с { $oldest } по { $newest }.
privacy_consent = Что мне можно хранить о тебе { $where }: **{ $consent }**.
privacy_ignored = Админы этого сервера попросили меня тебя не замечать: здесь я ничего о тебе не храню.
where_here = на этом сервере
where_everywhere = везде
where_other = сервер { $guild }
consent_on = всё
consent_explicit = только то, что рассказано как факт
consent_off = ничего
consent_sure_off = Если выберешь это, вот что изменится { $where }: я не буду хранить ни твоих сообщений, ни фактов, ни заметок о тебе, от кого бы они ни были. Сообщения, где тебя упоминают другие, останутся. Я удалю всё это:
consent_sure_explicit = Если выберешь это, вот что изменится { $where }: я буду хранить только факты, которые мне о тебе рассказывают. Я удалю свои копии твоих сообщений и сводки по ним:
consent_undo = Десять минут это можно отменить здесь.
form_consent = Что я храню
field_consent = Напиши «{ $word }»; отмена — 10 минут
field_consent_direct = Напиши «{ $word }»; здесь без отмены
consent_now_on = Теперь мне можно помнить тебя { $where }.
consent_now_explicit = Теперь я храню о тебе { $where } только то, что мне рассказали как факт. Твоих сообщений и сводок по ним больше нет.
consent_now_off = Теперь, { $where }: я не храню ни твоих сообщений, ни фактов и заметок о тебе, от кого бы они ни были. Всё, что хранилось, удалено. Сообщения, где тебя упоминают другие, остаются.
button_consent_on_here = Здесь: помнить меня
button_consent_explicit_here = Здесь: только факты
button_consent_off_here = Здесь: ничего
button_consent_on_everywhere = Везде: помнить меня
button_consent_explicit_everywhere = Везде: только факты
button_consent_off_everywhere = Везде: ничего
button_export_here = Скачать всё (здесь)
button_erase_here = Стереть всё (здесь)
button_export_everywhere = Скачать всё (везде)
button_erase_everywhere = Стереть всё (везде)
export_done = Всё, что о тебе хранится: в JSON и для чтения.
erase_not = Ничего не стёр: слово было другое.
erased = Всё, что о тебе хранилось, удалено; повторный поиск ничего не нашёл. Написанное другими остаётся у них; чтобы тебя не было и там, выбери «ничего». Что именно удалено — в файле.
erased_left = Удалено, но повторный поиск что-то ещё нашёл; где именно — в файле. Нажми ещё раз или скажи моему владельцу.
greeting = Привет! Я помню людей этого сервера. Я читаю каналы, которые вижу, храню сообщения { $retention ->
        [one] { $retention } день
        [few] { $retention } дня
       *[many] { $retention } дней
    } и подвожу итоги, чтобы отвечать, зная вас. Через /privacy каждый может увидеть, исправить и стереть то, что я о нём знаю. Если ты управляешь этим сервером, нажми «Настроить».
manage_denied = Для этого нужно право «Управлять сервером».
teachers_anyone = Рассказывать мне о других могут все; у каждого факта видно, кто его рассказал, и тот, о ком он, может его вычеркнуть.
teachers_self = Теперь каждый рассказывает мне только о себе.
teachers_moderators = Теперь о других мне рассказывают только модераторы.
base_role_set = Роль { $role } теперь означает «все»: что читают её участники, я знаю во всех каналах, которые им видны. Канал, открытый и новичкам, слышит только себя.
base_role_none = Отдельной роли для «всех» нет: это @everyone.
base_role_is = «Все» здесь — это { $role }.
base_role_likely = Похоже, роль { $role } есть здесь у каждого. Если это так, скажи мне через `/memory-admin base-role`.
log_set = Об использовании этих команд теперь пишу в { $channel }.
log_off = Об использовании этих команд теперь нигде не пишу.
mode_off = В { $channel } я выключен: ничего там не читаю и не говорю. Сохранённое останется, пока ты его не удалишь.
mode_talk = В { $channel } я разговариваю, но ничего оттуда не запоминаю, кроме фактов, о которых попросят.
mode_remember = В { $channel } я разговариваю и запоминаю.
ignored = { $name } у меня теперь в игноре: не отвечаю и ничего не запоминаю. Сохранённое останется, пока ты его не удалишь.
unignored = { $name } у меня больше не в игноре.
button_purge_channel = Удалить всё, что храню из этого канала
button_purge_member = Удалить всё, что храню: { $name }
button_rollback = Убрать { $count ->
        [one] { $count } факт
        [few] { $count } факта
        [many] { $count } фактов
       *[other] { $count } факта
    }
purge_channel_sure = Удалить всё, что я храню из { $channel }: сообщения, рассказанные там факты и всё, что из них вышло? Отменить это будет нельзя.
purge_member_sure = { $name }: удалить всё, что я храню? Это { $messages ->
        [one] { $messages } сообщение
        [few] { $messages } сообщения
        [many] { $messages } сообщений
       *[other] { $messages } сообщения
    }, { $facts ->
        [one] { $facts } факт
        [few] { $facts } факта
        [many] { $facts } фактов
       *[other] { $facts } факта
    }, { $summaries ->
        [one] { $summaries } сводка
        [few] { $summaries } сводки
        [many] { $summaries } сводок
       *[other] { $summaries } сводки
    }. Отменить это будет нельзя.
purged_channel = Всё, что я хранил из { $channel }, удалено: { $count ->
        [one] { $count } запись
        [few] { $count } записи
        [many] { $count } записей
       *[other] { $count } записи
    }.
purged_member = { $name }: всё, что я хранил, удалено — { $count ->
        [one] { $count } запись
        [few] { $count } записи
        [many] { $count } записей
       *[other] { $count } записи
    }.
rollback_none = { $name }: за это время ни одного нового факта.
rollback_sure = { $name }: за это время { $count ->
        [one] { $count } новый факт
        [few] { $count } новых факта
        [many] { $count } новых фактов
       *[other] { $count } нового факта
    }. Убрать? Отменить можно будет ещё десять минут.
rolled_back = { $name }: { $count ->
        [one] убран { $count } факт
        [few] убрано { $count } факта
        [many] убрано { $count } фактов
       *[other] убрано { $count } факта
    }.
audit = **Журнал** (страница { $page })
audit_empty = Пока ничего.
command_memory = Что я помню о людях здесь
command_show = Что я знаю о тебе или о ком-то ещё: факты, сводки, источники
command_history = Что менялось в фактах о тебе или о ком-то ещё и что можно вернуть
command_remember = Запомнить что-то о ком-то
command_forget = Забыть что-то о тебе или о ком-то ещё
command_forget_key = Забыть все факты одного вида
command_privacy = Что хранится о тебе, что мне можно хранить, как скачать и стереть
command_help = Что я умею и как это сказать
command_status = Как у меня дела: версия, сообщения, квота ИИ
command_admin = Для тех, кто управляет этим сервером
command_teachers = Кто может рассказывать о других
command_channel = Что я делаю в канале: ничего, разговариваю или запоминаю
command_ignore = Не отвечать участнику и не запоминать его
command_purge_channel = Удалить всё, что храню из канала
command_purge_member = Удалить всё, что храню о ком-то
command_rollback = Убрать то, что кто-то недавно рассказал
command_audit = Что делали этими командами
command_base_role = Какая роль есть у каждого
command_log = Писать в канал об использовании этих команд
option_member = О ком; если пусто, о тебе
option_whom = Участник
option_fact = Что запомнить, одним предложением
option_which = Какой факт: начни вводить и выбери или скажи словами
option_key = Какой вид, например работа или хобби
option_teachers = anyone (все), self (каждый о себе), moderators (модераторы)
option_mode = off (ничего), talk (разговариваю), remember (запоминаю)
option_channel = Какой канал; если пусто, этот
option_ignored = False, чтобы снова замечать
option_teacher = Кто рассказал
option_hours = За сколько последних часов
option_base_role = Роль; @everyone, если такой нет
option_log = Какой канал; если пусто, никакой
menu_remember = Запомнить это
menu_why = Почему?
menu_what = Что ты помнишь?
help =
    Начни с «{ $bot }», упомяни меня или ответь мне.
    • Запомнить: **{ $bot } запомни, что Аня играет на виолончели**
    • Узнать, что я знаю: **{ $bot } что ты знаешь о @имя** (или «обо мне»)
    • Найти: **{ $bot } кто починил печь?**
    • Удалить: **{ $bot } забудь, что …**
    • Узнать новости: **{ $bot } что я пропустил**
    • Остановить меня: `/privacy`
status =
    Версия { $version }. Сообщений этого сервера сохранено: { $messages }; ждут записи: { $pending }.
    Дни идут по времени { $zone }.
    { $models }
status_model = { $model } — вызовов сегодня: { $calls }{ $limit }, токенов: { $tokens }{ $blocked }
status_blocked = ; квота закончилась до { $until }
presence_facts_only = Только факты: мой ИИ не отвечает
presence_facts_only_until = Только факты до { $until }
presence_nothing_new = Ничего нового не читаю: мой ИИ не отвечает
presence_nothing_new_until = Ничего нового не читаю до { $until }
status_bad_key = ; ключ не принят
status_unknown_model = ; модели с таким именем нет
status_minute_out = ; квота на эту минуту закончилась
status_day_out = ; квота на сегодня закончилась
status_unreachable = ; не отвечает
status_dropped = Не смог прочитать { $count ->
        [one] { $count } событие
        [few] { $count } события
        [many] { $count } событий
       *[other] { $count } события
    } Discord
status_whole = В этом канале ничего не пропущено с { $since }
status_missing = Я ещё читаю, что здесь написали с { $since }
status_skew = Часы моей машины расходятся на { $seconds } с; тому, кто меня запускает, стоит их поправить
status_catching_up = Навёрстываю пропущенное: { $read } из { $count ->
        [one] { $count } канала
        [few] { $count } каналов
        [many] { $count } каналов
       *[other] { $count } канала
    }
status_parked = { $count ->
        [one] { $count } задача ждёт
        [few] { $count } задачи ждут
        [many] { $count } задач ждут
       *[other] { $count } задачи ждут
    } моего владельца: без него не сделать (urmom-bot parked)
status_failing = Фоновая работа, которая всё время срывается: { $names }
status_no_ai = ИИ не настроен: я только запоминаю и рассказываю факты.
found_anyway =
    Но вот что здесь говорили:
    { $lines }
recall_found =
    Вот что нашлось:
    { $lines }
recall_nothing = Ничего такого здесь не нашлось.
missed = С твоего последнего сообщения ({ $since }) здесь писали: { $channels }.
missed_nothing = С твоего последнего сообщения ({ $since }) здесь было тихо.
command_recall = Найти, что здесь говорили
option_question = Что найти?
why_found = Нашлось поиском: { $links }
reset_done = 📌 Готово, начинаем сначала. То, о чём мы договорились, я помню.
subject_closed = 📌 Хорошо, другая тема. Твою часть разговора я закрыл. Остальные могут продолжать свою.
reset_nothing = Здесь мы сейчас ни о чём не разговариваем.
busy = Минутку, я ещё отвечаю здесь другим. Спроси снова, когда закончу.
direct_session = Этот разговор я храню не дольше часа, а потом ничего из него не оставляю.
answered_before = Такой вопрос от тебя уже был, и я ответил:
gathered = Я понял это из твоих слов. Всё верно? { $fact }
changed = { $date } у меня появилась запись о тебе: «{ $note }». Это всё ещё верно? { $fact }
status_session = { $channel }: { $turns ->
        [one] { $turns } реплика
        [few] { $turns } реплики
        [many] { $turns } реплик
       *[other] { $turns } реплики
    }, { $tokens ->
        [one] { $tokens } токен
        [few] { $tokens } токена
        [many] { $tokens } токенов
       *[other] { $tokens } токена
    } в последнем запросе ({ $parts }){ $over }
status_over = — сверх бюджета: { $parts }
command_reset = Начать наш разговор сначала
table_sessions = разговоры
table_turns = реплики разговоров
table_segments = части разговоров
table_conclusions = выводы
table_topics = темы
table_answers = сохранённые ответы
topics_heading = { $count ->
        [one] { $count } тема
        [few] { $count } темы
        [many] { $count } тем
       *[other] { $count } темы
    }
topics_none = Тем пока нет: они появляются из того, к чему мы приходим в разговорах.
topic_line = **{ $name }** ({ $count ->
        [one] { $count } строка
        [few] { $count } строки
        [many] { $count } строк
       *[other] { $count } строки
    }), { $when }
topic_replaced = (заменено { $when })
topic_since = (впервые сказано { $when })
topic_heading = **{ $name }**: { $count ->
        [one] { $count } строка
        [few] { $count } строки
        [many] { $count } строк
       *[other] { $count } строки
    }
topic_none = Такой темы я здесь не знаю.
topic_denied = Темы правят модераторы, но свои строки можешь удалить и ты.
topic_renamed = Тема «{ $name }» теперь называется «{ $new }».
topic_name_taken = Назвать тему «{ $new }» нельзя: такая уже есть, или это не название.
topic_merged = Строки темы «{ $name }» теперь в теме «{ $into }».
topic_merge_not = Эти темы не объединить: их читают разные люди.
topic_dropped = Страницы «{ $name }» больше нет, но если спросить, всё, что на ней было, найдётся.
button_drop_line = Удалить { $number }
command_topics = Показать темы этого сервера
command_topic = Темы: что решили и что выяснили
command_topic_show = Показать страницу темы
command_topic_rename = Переименовать тему
command_topic_merge = Перенести строки темы в другую
command_topic_drop = Удалить страницу темы; её строки останутся
option_topic = Тема
option_new_name = Её новое название
option_into = Тема, в которую их перенести
status_prompts_over = Запросы сверх бюджета с моего запуска: { $parts }
share_used = Твоя доля моего ИИ пока израсходована, остальное — другим. Спроси снова { $until }. Факты по-прежнему работают: запомни, забудь, что ты знаешь о …
not_full = Для фактов от одного человека о другом места у меня немного, и оно закончилось. Попроси забыть один из своих и расскажи это снова.
not_link = Приглашения я не храню.
not_unclear = Это не простое утверждение о { $name }. Скажи мне об этом сообщением («Бот, запомни, что …»).
confirm_unread = На этом языке я читаю не настолько хорошо, чтобы понять, личное ли это. Сохраняй, только если это не о здоровье, вере, любви, деньгах или проблемах с законом.
button_keep_other = Ничего личного: сохранить
busy_member = Давай по очереди: я ещё отвечаю на твои прошлые сообщения.
matter_affairs = любовные дела
matter_origin = происхождение
matter_violence = насилие
matter_family = семейные неурядицы
matter_address = место жительства
matter_unlawful = что-то постыдное или незаконное
welcome = Всегда пожалуйста!
stays_saved = Хорошо. То, что ты мне сейчас рассказал, остаётся.
stays_deleted = Это уже удалено. Кнопка вернёт всё обратно.
dropped_it = Ладно.
forgot_last = 📌 Готово, я забыл, что ты здесь сказал(а): «{ $text }». Само сообщение останется в канале, пока ты его не удалишь.
untrue_nothing = Не понимаю, о чём речь. Напиши, что именно неверно, например: «забудь, что я живу в Лидсе».
nothing_deleted = Хорошо. Ничего не удалено.
message_gone = Моя копия этого сообщения удалена навсегда. Вернуть её я не могу.
forget_last_nothing = За последние десять минут здесь нет ничего твоего.
say_the_wish = Не понимаю, что запомнить или удалить. Скажи так: «{ $bot } запомни, что …» или «{ $bot } забудь, что …».
hello_no_ai = Привет! Болтать я здесь не могу, зато запоминаю. Попробуй «{ $bot } запомни, что …» или «{ $bot } что ты знаешь обо мне».
undo_nothing = Больше здесь нечего отменять: я отменяю только последнее, о чём ты просишь, и только в течение десяти минут.
redo_nothing = Здесь нечего возвращать: возвращаю только то, что удалено или отменено последним по твоей просьбе, и только в течение десяти минут.
undo_which = Из твоего последнего сообщения ничего не сохранено. До этого было вот что. Если речь об этом, повтори «отмени»: «{ $text }»
which_message = Какое сообщение ты имеешь в виду? { $name }: ни от этого человека, ни о нём я не вижу ничего, что можно запомнить. Ответь на нужное сообщение словами «запомни это».
know_today = Сегодня:
know_before = Раньше:
know_earlier = Давно:
know_perhaps_changed = Возможно, изменилось:
know_said_today = Сказано сегодня:
button_details = Кто рассказал?
button_details_of = Кто рассказал про { $name }?
button_help_more = Что ещё?
help_more =
    • **{ $bot } запомни для сервера: встреча в пятницу**
    • **{ $bot } запомни это про @имя** — ответом на сообщение или после разговора
    • **{ $bot } забудь #12**, **{ $bot } отмени**, **{ $bot } нет, я имел в виду @имя**
    • **{ $bot } что нового**; в ветке звать меня снова не нужно
    • реакция { $emoji } — шутка про «твою маму»; **{ $bot } без шуток про меня** — и про тебя их больше не будет
    • **{ $bot } часовой пояс Europe/Moscow** (право «Управлять сервером»): когда на этом сервере начинается день
    • /memory show, history, remember, forget, forget-key; /recall; /topics; /reset; /privacy; /status; у сообщений и людей: Приложения
    • /settings и /memory-admin — для тех, кто управляет сервером
    Сообщения из каналов, которые могу читать, храню { $retention ->
        [one] { $retention } день
        [few] { $retention } дня
       *[many] { $retention } дней
    }. Из них получаются сводки и факты, их я тоже храню: своё можно посмотреть, исправить, скачать и стереть в /privacy.
introduction = Мы ещё не знакомы: я запоминаю, о чём здесь говорят. `/privacy` покажет, что я храню о тебе; там же это можно выключить.
budget_used = Сервер исчерпал свой лимит ИИ на сегодня, так что до { $until } поболтать не выйдет. Факты по-прежнему работают: запомни, забудь, что ты знаешь о …
button_settings = Настроить
button_memory_on = Память: включить
button_memory_off = Память: выключить
button_bare_names_on = Имя без запятой: включить
button_bare_names_off = Имя без запятой: выключить
button_captions_on = Описывать картинки
button_captions_off = Не описывать картинки
button_read_ahead_on = Читать без вопросов
button_read_ahead_off = Не читать без вопросов
button_settings_character = Как я говорю …
button_jokes_on = Шутки: включить
button_jokes_off = Шутки: выключить
button_settings_general = Язык, имена, сроки…
button_settings_channel = Канал…
button_settings_budget = Лимит ИИ…
settings_title = **Настройки** — менять их могут только те, кто управляет сервером
settings_on = вкл.
settings_off = выкл.
settings_memory = • Память: **{ $state }**
settings_facts = • Факты: **{ $facts }**, из них **{ $faded }** угасают (только если спросить) и **{ $stale }** не используются, пока кто-нибудь не подтвердит
settings_retention = • Сообщения хранятся **{ $days ->
    [one] { $days } день
    [few] { $days } дня
   *[many] { $days } дней
    }**
settings_language = • Язык: **{ $language }**
settings_zone = • Дни идут по времени **{ $zone }**
settings_names = • Отзываюсь на **{ $names }** и на свой никнейм здесь
settings_bare_names = • Обращение без запятой, как «Бот привет»: **{ $state }**
settings_captions = • Описывать картинки и голосовые словами, чтобы находить их: **{ $state }**
settings_read_ahead = • Читать дни, о которых никто не спрашивал, чтобы их помнить: **{ $state }**
settings_character = • Как я говорю: **{ $character }**
settings_character_wrong = Такой характер не подойдёт: не больше { $most } букв, без паролей, ссылок и личного о людях.
settings_teachers = • Кто может рассказывать мне о других: **{ $who }**
settings_jokes = • Шутки: **{ $state }**
settings_budget = • Запросов к ИИ сегодня: **{ $used }**, своего лимита нет
settings_budget_of = • Запросов к ИИ сегодня: **{ $used }** из { $most }
settings_mode_off = • Ничего не делаю в { $channels }
settings_mode_talk = • Только разговариваю и не храню сказанного в { $channels }
settings_no_captions = • Не описываю картинки в { $channels }
settings_cannot_read = • Не могу читать { $channels }
settings_cannot_write = • Не хватает прав в { $channels }
settings_all_channels = • Могу читать и писать во всех каналах, которые вижу
settings_more = и ещё { $count }
settings_saved = Изменены настройки
settings_names_wrong = Имён — не больше { $most }, через запятую, от 2 до 32 знаков каждое. Я ничего не поменял.
settings_retention_wrong = Срок хранения в днях — от { $least } до { $most }. Я ничего не поменял.
settings_budget_wrong = Напиши целое число или оставь поле пустым, если лимит не нужен. Я ничего не поменял.
form_general = Язык, имена, сроки
form_character = Как я здесь говорю
form_channel = Что я делаю в канале
form_budget = Лимит ИИ
field_language = Язык, если по сообщению не понять
field_zone = Часовой пояс
field_names = Ещё имена для меня (через запятую)
field_character = Характер
field_character_own = Своими словами (если выбрано)
field_teachers = Кто может рассказывать мне о других
field_retention = Сколько дней хранить сообщения (1–{ $most })
field_channel = Канал
field_mode = Что я там делаю
field_captions = Картинки и голосовые там
field_budget = Запросов в день (пусто — без лимита)
language_any = тот, на котором пишут
character_usual = дружелюбно, коротко, с лёгкой дерзостью
character_warm = тепло и терпеливо
character_dry = сухо и невозмутимо
character_lively = живо и игриво
character_own = своими словами
who_anyone = все
who_self = каждый только о себе
who_moderators = модераторы
what_off = ничего
what_talk = только разговариваю
what_remember = разговариваю и запоминаю
captions_yes = описывать словами
captions_no = не трогать
action_settings = изменены настройки
command_settings = Настроить, что я делаю на этом сервере
say_again = Это отменено. Скажи ещё раз, с нужным именем.
which_of_two = Ничего не меняю: речь о твоих словах или о том, что только что рассказали о тебе? Скажи, пожалуйста, всю фразу целиком.
which_corrected = Ничего не изменилось: последнее сохранённое не о людях. Скажи ещё раз, как правильно.
missed_today = За последние сутки здесь писали: { $channels }.
missed_nothing_today = За последние сутки здесь было тихо.
opted_out_yourself = По твоей просьбе я ничего о тебе не запоминаю. Изменить это можно в /privacy.
policy_contact = тому, кто запускает этого бота
policy_grace = { $days ->
    [0] по просьбе
    [one] через { $days } день
    [few] через { $days } дня
   *[many] через { $days } дней
    }
quoted = «{ $text }»
settings_memory_off = • Память: **выкл.** — не храню ничего из сказанного, только то, что просят запомнить
button_tour = Попробовать
button_try_remember = Запомни что-нибудь обо мне
button_try_know = Что ты обо мне знаешь?
form_try = Запомни что-нибудь обо мне
field_try = Например: я играю на тубе
only_on_servers = Факты хранятся на сервере. Нажми эту кнопку там.
tour =
    Три вещи на пробу:
    1. Расскажи что-нибудь о себе. Я покажу фразу с кнопкой *Отменить*.
    2. Посмотри, что я о тебе знаю: каждый факт, кто и когда его рассказал.
    3. Реши, что мне можно хранить, или сотри всё.
    В канале то же самое можно словами: **{ $bot } запомни, что я играю на тубе**

# The page in a browser

command_page = Твоя страница в браузере: всё, что я о тебе знаю, откуда и как это изменить
button_page = Открыть мою страницу
page_link =
    { $link }
    -# Ссылка сработает один раз, в течение десяти минут и только для тебя. Никому её не передавай.
page_link_words = Открыть твою страницу
page_local = -# Она ведёт на компьютер, где я работаю. Тот, кто меня запустил, может открыть страницы для всех через PAGE_URL.
page_off = Страницы выключены. Тот, кто меня запустил, может включить их через PAGE_PORT.
page_ask_there = У каждого сервера своя страница. Используй /memory page на сервере.
page_takes_long = Это дольше обычного. Я всё равно это сделаю; обнови страницу чуть позже.
page_a_channel = канал
page_a_role = роль
page_message = сообщение
page_today = сегодня
page_before = до { $day }
page_operator = Владелец бота
page_server_unnamed = твой сервер
page_skip = К содержанию
page_pages = Страницы
page_sections = На этой странице
page_menu_me = Я
page_menu_people = Люди
page_menu_topics = Темы
page_menu_search = Поиск
page_menu_privacy = Приватность
page_menu_server = Сервер
page_sign_out = Выйти
page_times = Время этого сервера: { $zone }.
page_what_you_see = Ты видишь то, что можешь прочитать и в Discord.
page_what_is_kept = Что я храню и как это прекратить
page_previous = Назад
page_next = Дальше
page_number = Страница { $page } из { $pages }
page_as_table = Таблицей
page_day = День
page_save = Сохранить
page_cancel = Отмена
page_show = Показать
page_home = На мою страницу
page_facts = Факты
page_days = День за днём
page_answers = Мои ответы тебе
page_changes = Изменения
page_models = Отправлено ИИ
page_settings = Настройки
page_audit = Журнал
page_roll_back = Откат
page_on_discord = { $name } в Discord
page_portrait = С этого текста начинаются ответы об этом участнике. Дата текста: { $day }.
page_facts_hint = Я использую факт только в ответах тем, кто мог прочитать его там, где мне его рассказали. Открой факт, чтобы увидеть источники, исправить его или удалить.
page_facts_of_hint = Только факты из каналов, которые ты можешь читать. Открой факт, чтобы увидеть источники.
page_no_facts = Я пока ничего о тебе не знаю.
page_no_facts_hint = Скажи мне что-нибудь в Discord: «Бот, запомни, что я играю в шахматы».
page_no_facts_of_hint = Никто не говорил мне ничего, что тебе можно читать.
page_group_check = Проверь, пожалуйста
page_group_check_hint = Я заметил это сам, или это давно никто не подтверждал.
page_group_by_subject = Сказано тобой
page_group_by_subject_of = Сказано участником { $name }
page_group_by_subject_hint = Собственное слово важнее всего.
page_group_by_others = Сказано другими
page_group_by_others_of = Сказано другими
page_group_by_others_hint = Если что-то неверно, это можно исправить или удалить.
page_group_inferred = Замечено мной
page_group_inferred_hint = Из разговоров, а не по просьбе запомнить.
page_only_you = видно только тебе
page_everyone_may = Это видно всем на сервере.
page_some_may = Это видно только тем, кто может прочитать, где это сказано.
page_fading = устаревает
page_stale = больше не используется
page_holds = действует
page_no_longer = больше не верно
page_times_told = сказано { $count ->
    [one] { $count } раз
    [few] { $count } раза
   *[other] { $count } раз
}
page_used = использований: { $count }
page_used_long = Недавно это было в { $count ->
    [one] { $count } ответе
   *[other] { $count } ответах
}.
page_who_told = Кто мне это сказал
page_days_hint = Мои заметки о тебе из разговоров. Если попросишь забыть день, я удалю и свои копии твоих сообщений за этот день.
page_days_of_hint = Мои заметки об участнике { $name } из разговоров, которые ты можешь читать.
page_no_days = Пока ничего не отмечено.
page_no_days_hint = Я читаю сообщения дня, когда о них спрашивают, или позже, если осталась квота ИИ.
page_messages_week = Сообщения за последние 7 дней
page_messages = Сообщения
page_changes_hint = Кто что изменил, за год.
page_no_changes = Изменений пока нет.
page_no_changes_hint = Когда кто-то говорит мне факт, исправляет или удаляет его, это видно здесь.
page_when = Когда
page_who = Кто
page_what = Что
page_whom = О ком
page_me_the_bot = я
page_undone = отменено
page_restorable = Больше не верно
page_restorable_hint = Факты, которые сменились новыми. Их можно вернуть.
page_answers_hint = Мои последние ответы тебе за 7 дней. Посмотри, на чём основан каждый.
page_no_answers = За последние 7 дней ответов нет.
page_no_answers_hint = Спроси меня о чём-нибудь в Discord. Потом здесь видно, почему я так сказал.
page_a_message = вопрос, текст которого я не храню
page_words_gone = Слова этого ответа я не храню. Его можно прочитать в Discord.
page_why = Почему я так сказал?
page_why_hint = Что я знал и нашёл, когда писал ответ, насколько тебе можно это видеть.
page_why_unknown = Этого я уже не знаю.
page_why_unknown_hint = Я храню это лишь несколько дней и никогда для ответов, которые другим нельзя отследить.
page_why_no_facts = Фактов нет.
page_why_gone = { $count ->
    [one] { $count } факт с тех пор исчез или тебе не виден.
    [few] { $count } факта с тех пор исчезли или тебе не видны.
   *[other] { $count } фактов с тех пор исчезли или тебе не видны.
}
page_why_kept_back = { $count ->
    [one] { $count } факт о тебе я придержал: не все там могут его читать.
    [few] { $count } факта о тебе я придержал: не все там могут их читать.
   *[other] { $count } фактов о тебе я придержал: не все там могут их читать.
}
page_why_found = Сообщения, которые я нашёл
page_why_nothing = Ничего из памяти.
page_why_nothing_hint = В ответе нет ни фактов, ни результатов поиска.
page_about = О { $name }
page_models_hint = Что я отправил моделям ИИ от тебя и о тебе за последние 7 дней и зачем: твои сообщения, твои вопросы и то, что я о тебе знаю. Личные сообщения, которые ты мне пишешь, тоже уходят модели, но здесь не учитываются.
page_no_models = За последние 7 дней я не отправлял моделям ИИ ничего от тебя или о тебе.
page_no_models_hint = Когда что-то уйдёт, здесь будет видно, что именно.
page_model = Модель
page_calls = Вызовы
page_my_messages = Твои сообщения
page_sent = Твои слова, которые были отправлены
page_sent_hint = Твои сообщения, которые я отправил модели за последние 7 дней. Пароли и ключи доступа из них убраны.
page_people_hint = Участники, о которых тебе видны факты.
page_no_people = Пока никого.
page_no_people_hint = Когда кто-то скажет мне факт, который тебе можно читать, здесь будет видно, о ком он.
page_facts_count = { $count ->
    [one] { $count } факт
    [few] { $count } факта
   *[other] { $count } фактов
}
page_replaced = заменено:
page_first_said = впервые сказано:
page_lines_count = { $count ->
    [one] { $count } строка
    [few] { $count } строки
   *[other] { $count } строк
}
page_topics_hint = Что решили или выяснили в разговорах со мной.
page_no_topics = Тем пока нет.
page_no_topics_hint = Если разговор со мной чем-то закончился, я храню это здесь.
page_search_label = Поиск по тому, что ты можешь читать
page_search_results = Результаты
page_export_text = Скачать (текст)
page_export_json = Скачать (JSON)
page_sessions = Вход выполнен
page_sessions_hint = В этом браузере вход действует до { $until } или пока ты не выйдешь.
page_sign_out_everywhere = Выйти везде
page_numbers = Память в числах
page_numbers_hint = Только числа: здесь не видно, кто что говорил.
page_number_facts = Факты
page_number_members = Участники, о которых они
page_number_notes = Заметки
page_number_messages = Сообщения
page_number_topics = Темы
page_number_facts_only = Участники с выбором «только факты»
page_number_nothing = Участники с выбором «ничего»
page_number_ignored = Игнорируемые участники
page_month = Последние 30 дней
page_messages_day = Сообщений в день
page_calls_day = Вызовов ИИ в день (предел: { $most })
page_no_plots = Пока ничего не происходило.
page_audit_hint = Что делали управляющие и модераторы, в том числе на таких страницах.
page_no_audit = Пока ничего.
page_roll_back_hint = Удали то, что кто-то рассказал мне о других за последние 7 дней. Сначала ты увидишь, что исчезнет.
page_no_teachers = За последние 7 дней никто ничего не рассказывал мне о других.
page_no_teachers_hint = Откатывать нечего.
page_teacher = Кто рассказал
page_alone_offer = Открыть твою страницу?
page_offer_who = Эта ссылка запрошена от твоего имени: { $name }, сервер «{ $server }».
page_offer_open = Открыть мою страницу
page_offer_hint = Ссылка сработает один раз, до { $until }. В этом браузере вход действует до 12 часов. Это не ты? Закрой окно: ничего не открыто.
page_alone_expired = Эта ссылка больше не работает
page_alone_expired_hint = Ссылка работает один раз, в течение десяти минут. Новую можно получить в Discord через /memory page.
page_alone_signed_out = Ты вышел
page_alone_signed_out_hint = Чтобы открыть свою страницу, используй /memory page на своём сервере Discord.
page_alone_over = Войди, пожалуйста
page_alone_over_hint = Сессия закончилась, или ты больше не на сервере. Новую ссылку можно получить в Discord через /memory page.
page_alone_denied = Здесь для тебя ничего нет
page_alone_denied_hint = Либо такой страницы нет, либо тебе нельзя её видеть.
page_alone_busy = Слишком много запросов
page_alone_busy_hint = Подожди минуту и попробуй снова.
page_alone_away = Не могу связаться с памятью или с Discord
page_alone_away_hint = Ничего не потеряно. Попробуй чуть позже.
page_alone_error = Что-то пошло не так
page_alone_error_hint = Остальное не затронуто. Можно вернуться и попробовать снова.
page_alone_erased = Готово
page_alone_erased_hint = Ты вышел.
page_health = Состояние
page_healthy = Всё работает.
page_loops = Фоновые задачи
page_name = Название
page_failures = Сбои
page_error = Последняя ошибка
page_parked = Неудавшиеся задачи
page_parked_hint = Команда urmom-bot parked повторяет или отбрасывает их.
page_nothing = Нет.
page_spending = Использование ИИ
page_calls_today = Вызовы сегодня
page_tokens_today = Токены сегодня
page_tokens = Токены
page_prompts = Последние промпты
page_prompts_hint = Сколько токенов было в каждой части промпта. Слова не хранятся.
page_parts = Части
page_sizes = Таблицы
page_rows = Строки (примерно)
table_page_access = ссылки и сессии страниц в браузере
page_do_confirm = Всё ещё верно
page_do_correct = Исправить
page_do_strike = Забыть
page_do_strike_day = Забыть этот день
page_do_strike_week = Забыть эту неделю
page_do_strike_month = Забыть этот месяц
page_do_drop_line = Удалить
page_do_restore = Вернуть
page_conclusions = Итоги
page_conclusions_hint = Что решили или выяснили в разговорах со мной, если там есть ты или твои слова.
page_no_conclusions = Итогов пока нет.
page_by_kind = По видам
page_kind = Вид
page_domain_work = Работа
page_domain_preferences = Предпочтения
page_domain_decisions = Решения
page_domain_personal = Личное
page_domain_projects = Проекты
page_channels = Каналы
page_channels_hint = Те, что тебе видны.
page_channel = Канал
page_what_i_do = Что я делаю
page_who_reads = Кто может это услышать
page_read_until = Прочитано до
page_missing = Нет прав
page_mode_off = ничего
page_mode_talk = только общаюсь
page_mode_remember = общаюсь и запоминаю
page_everyone = все
page_some = кто может его читать
page_ai_uses = Для чего используется ИИ
page_what_for = Цель
page_use_reply = Ответы
page_use_memory = Заметки и короткие тексты об участниках
page_use_digest = Итоги разговоров
page_use_media = Картинки и голосовые сообщения
page_use_ahead = Дни, о которых никто не спрашивал
button_settings_posts = Итоги недели, дни рождения…
button_recap_preview = Предпросмотр итогов недели
settings_recap = • Итоги недели по понедельникам: **{ $state }**
settings_birthdays = • Поздравления с днём рождения: **{ $state }**
settings_posts_in = • Публикую это в { $channel }
form_posts = Что я публикую сам
field_post_channel = Где публиковать
field_recap = Итоги недели по понедельникам
field_birthdays = Поздравления с днём рождения
recap = **Наша неделя: { $since } – { $until }**
recap_decided = **Решили**
recap_happened = **Что произошло**
recap_helped = **Кто помог**
recap_quotes = **Цитаты недели**
recap_end = -# Из открытых каналов. Не хочешь здесь появляться? Загляни в `/privacy`.
recap_previewed = -# Это видишь только ты. Вот как я сейчас подвёл бы итоги последних семи дней.
recap_without_ai = -# Это видишь только ты. ИИ недоступен, поэтому здесь мои заметки как есть.
recap_empty = За последние семь дней я не записал ничего, что стоило бы включить в итоги.
birthday_wish = 🎂 С днём рождения, { $names }!
table_posts = что я опубликовал сам
table_model_calls = записи о том, сколько ушло моделям ИИ
page_talks = Текущие разговоры
page_talks_hint = Разговор заканчивается, если { $minutes } минут мне никто не пишет. То, к чему пришли, появится ниже.
page_talk = { $count ->
    [one] { $count } сообщение
    [few] { $count } сообщения
   *[other] { $count } сообщений
    }
page_offline = Со мной сейчас нет связи. Пока её нет, кнопки не работают.
page_again = Попробовать снова
page_sign_in = Войти через Discord
page_alone_choose = Выбери сервер
page_alone_choose_hint = Я знаю тебя по этим серверам. Выбери один и увидишь, что я там о тебе знаю.
page_alone_not_signed_in = Вход не выполнен
page_alone_not_signed_in_hint = Discord не сообщил, кто ты. Попробуй ещё раз или получи ссылку в Discord командой /memory page.
page_alone_unknown = Я ничего о тебе не знаю
page_alone_unknown_hint = Ни на одном из моих серверов о тебе ничего нет. Свою страницу всё равно можно открыть командой /memory page на своём сервере Discord.
missed_to_you = **Тебе написали**
missed_yours = **О тебе**
missed_news = **А ещё**
missed_more = Есть ещё { $count ->
    [one] { $count } заметка
    [few] { $count } заметки
   *[other] { $count } заметок
    }. Спроси, если интересно.
page_used_for = Использовано для
page_confidence_high = Надёжность: высокая.
page_confidence_medium = Надёжность: средняя.
page_confidence_low = Надёжность: низкая.
page_week = Неделя с { $since }
page_tokens_day = Токены ИИ за день — за них и платят
page_no_facts_of = Я не знаю об участнике { $name } ничего, что можно тебе показать.
correct_sensitive = Это личное: такое я храню только для тебя и только с твоего согласия. Скажи в чате: «Бот, запомни, что …», и я попрошу подтвердить.
consent_explicit_do = Хранить только факты
consent_off_do = Ничего не хранить
page_calls_day_free = Вызовов ИИ в день (без ограничений)
page_processes = Процессы
page_processes_hint = Все процессы, которые работают с этой базой данных. Остальное на этой странице, где процесс не назван, относится к процессу { $process }.
page_started = Запущен
page_alive = Последний сигнал
page_shards = Шарды
page_waiting = В очереди
page_number_faded = Из них угасающие (только если спросить)
page_number_stale = Из них не используются, пока кто-нибудь не подтвердит
