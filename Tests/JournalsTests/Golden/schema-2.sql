PRAGMA application_id = 1298232425;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1');
INSERT INTO grdb_migrations VALUES('2');
CREATE TABLE stream (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  began INTEGER NOT NULL,
  ended INTEGER,
  sum INTEGER NOT NULL
);
INSERT INTO stream VALUES(1,'group','friday',1795297587723368,NULL,1386517813);
INSERT INTO stream VALUES(2,'device','ann-tv',1795297587728344,NULL,760624840);
INSERT INTO stream VALUES(3,'device','ben-tv',1795297587767645,NULL,2983120127);
INSERT INTO stream VALUES(4,'session','s-5g3xfsj1kbg2',1795297587770969,NULL,934659030);
CREATE TABLE event (
  stream INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  format INTEGER NOT NULL,
  body TEXT NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (stream, seq)
) WITHOUT ROWID;
INSERT INTO event VALUES(1,1,1795297587723368,1,'{"event":"opened","user":"ann"}',563759617);
INSERT INTO event VALUES(1,2,1795297587728344,1,'{"event":"memberJoined","device":"ann-tv","user":"ann","name":"Ann","sharing":true,"understandsSessions":true}',2744871311);
INSERT INTO event VALUES(1,3,1795297587767645,1,'{"event":"memberJoined","device":"ben-tv","user":"ben","name":"Ben","sharing":true,"understandsSessions":true}',1150740538);
INSERT INTO event VALUES(1,4,1795297587768653,1,'{"event":"sessionStarted","session":"s-5g3xfsj1kbg2","device":"ann-tv"}',1743698854);
INSERT INTO event VALUES(1,5,1795308311873770,1,'{"event":"interrupted","until":1795308371873770}',2417341225);
INSERT INTO event VALUES(1,6,1795308314065918,1,'{"event":"memberResumed","device":"ann-tv"}',3538969204);
INSERT INTO event VALUES(1,7,1795308314067761,1,'{"event":"memberResumed","device":"ben-tv"}',1468350433);
INSERT INTO event VALUES(1,8,1795308314085418,1,'{"event":"sharingSet","device":"ann-tv","sharing":false}',490536632);
INSERT INTO event VALUES(2,1,1795297587728344,1,'{"event":"greeted","user":"ann","device":"ann-tv","name":"Ann","token":"dqsr3gwqwgaw3wn1cs612gwpnc","sessions":true}',3777089786);
INSERT INTO event VALUES(3,1,1795297587767645,1,'{"event":"greeted","user":"ben","device":"ben-tv","name":"Ben","token":"d50v9pqxrha5be8chrbz97nyy6","sessions":true}',1366244259);
INSERT INTO event VALUES(4,1,1795297587770969,1,'{"event":"began","group":"friday","activity":{"type":"watch","metadata":{"title":"A film"},"payload":{},"media":{"item":"film","url":"https://media.example/film.mp4"}},"initiator":{"user":"ann","device":"ann-tv","name":"Ann"},"control":"everyone","waitingPolicy":"keepGoing","joinBy":1795297647768653}',3056079380);
INSERT INTO event VALUES(4,2,1795297587776400,1,'{"event":"joined","participant":"p-4hvtaebz1ac9","user":"ann","device":"ann-tv","name":"Ann","role":"host","joinedAt":1795297587776400}',3135509909);
INSERT INTO event VALUES(4,3,1795297587779058,1,'{"event":"joined","participant":"p-k1cmvns2dqxr","user":"ben","device":"ben-tv","name":"Ben","role":"guest","joinedAt":1795297587779058}',509833687);
INSERT INTO event VALUES(4,4,1795297587782110,1,'{"event":"itemSelected","item":"film","by":"p-4hvtaebz1ac9"}',2259582156);
INSERT INTO event VALUES(4,5,1795297587782110,1,'{"event":"timelineSet","item":"film","phase":"paused","mediaTime":0,"rate":1,"action":"propose","by":"p-4hvtaebz1ac9"}',2563484767);
INSERT INTO event VALUES(4,6,1795297587782110,1,'{"event":"durationLearned","item":"film","duration":888000000}',2001721768);
INSERT INTO event VALUES(4,7,1795297587791317,1,'{"event":"timelineSet","item":"film","phase":"paused","mediaTime":1000000,"rate":1,"action":"seek","by":"p-4hvtaebz1ac9"}',4017486236);
INSERT INTO event VALUES(4,8,1795297587794554,1,'{"event":"timelineSet","item":"film","phase":"paused","mediaTime":2000000,"rate":1,"action":"seek","by":"p-4hvtaebz1ac9"}',402810707);
INSERT INTO event VALUES(4,9,1795297587797657,1,'{"event":"timelineSet","item":"film","phase":"paused","mediaTime":3000000,"rate":1,"action":"seek","by":"p-4hvtaebz1ac9"}',2571831440);
INSERT INTO event VALUES(4,10,1795297587812230,1,'{"event":"timelineSet","item":"film","phase":"paused","mediaTime":4000000,"rate":1,"action":"seek","by":"p-4hvtaebz1ac9"}',1690037652);
INSERT INTO event VALUES(4,11,1795297587828263,1,'{"event":"timelineSet","item":"film","phase":"paused","mediaTime":5000000,"rate":1,"action":"seek","by":"p-4hvtaebz1ac9"}',2085702551);
INSERT INTO event VALUES(4,12,1795297587831187,1,'{"event":"timelineSet","item":"film","phase":"paused","mediaTime":6000000,"rate":1,"action":"seek","by":"p-4hvtaebz1ac9"}',1339018442);
INSERT INTO event VALUES(4,13,1795308311873770,1,'{"event":"interrupted","until":1795308371873770}',3397661526);
INSERT INTO event VALUES(4,14,1795308314065918,1,'{"event":"resumed","participant":"p-4hvtaebz1ac9"}',4288223270);
INSERT INTO event VALUES(4,15,1795308314067814,1,'{"event":"timelineSet","item":"film","phase":"paused","mediaTime":7000000,"rate":1,"action":"seek","by":"p-4hvtaebz1ac9"}',409888574);
INSERT INTO event VALUES(4,16,1795308314069785,1,'{"event":"resumed","participant":"p-k1cmvns2dqxr"}',1768751668);
INSERT INTO event VALUES(4,17,1795308314072744,1,'{"event":"timelineSet","item":"film","phase":"paused","mediaTime":8000000,"rate":1,"action":"seek","by":"p-4hvtaebz1ac9"}',4004648811);
INSERT INTO event VALUES(4,18,1795308314076350,1,'{"event":"timelineSet","item":"film","phase":"paused","mediaTime":9000000,"rate":1,"action":"seek","by":"p-4hvtaebz1ac9"}',789168483);
INSERT INTO event VALUES(4,19,1795308314082283,1,'{"event":"messageSent","payload":{"reaction":"hi"},"by":"p-k1cmvns2dqxr"}',1305291486);
INSERT INTO event VALUES(4,20,1795308314088502,1,'{"event":"timelineSet","item":"film","phase":"paused","mediaTime":11000000,"rate":1,"action":"seek","by":"p-4hvtaebz1ac9"}',1200781897);
INSERT INTO event VALUES(4,21,1795308314099827,1,'{"event":"timelineSet","item":"film","phase":"paused","mediaTime":12000000,"rate":1,"action":"seek","by":"p-4hvtaebz1ac9"}',615114705);
CREATE TABLE snapshot (
  stream INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  format INTEGER NOT NULL,
  body TEXT NOT NULL,
  sum INTEGER NOT NULL
);
INSERT INTO snapshot VALUES(4,16,1795308314069785,1,'{"session":"s-5g3xfsj1kbg2","group":"friday","initiator":{"user":"ann","device":"ann-tv","name":"Ann"},"state":"open","seq":16,"activity":{"type":"watch","metadata":{"title":"A film"},"payload":{},"media":{"item":"film","url":"https://media.example/film.mp4"}},"revision":1,"control":"everyone","participants":[{"participant":"p-4hvtaebz1ac9","user":"ann","device":"ann-tv","name":"Ann","role":"host","joinedAt":1795297587776400,"item":"film"},{"participant":"p-k1cmvns2dqxr","user":"ben","device":"ben-tv","name":"Ben","role":"guest","joinedAt":1795297587779058}],"waitingPolicy":"keepGoing","timelines":[{"item":"film","phase":"paused","mediaTime":7000000,"rate":1,"seq":15,"duration":888000000}],"nextSuspension":1,"queue":{"entries":[{"entry":"e1","item":"film","url":"https://media.example/film.mp4"}],"current":"e1","repeat":"off","autoAdvance":true,"nextNumber":2},"initiatorHasJoined":true}',725092905);
CREATE TABLE answer (
  stream INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  number INTEGER NOT NULL,
  request INTEGER NOT NULL,
  format INTEGER NOT NULL,
  body TEXT NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (stream, slot)
) WITHOUT ROWID;
INSERT INTO answer VALUES(2,0,8,10,1,'{"answer":{"seq":9}}',3398821412);
INSERT INTO answer VALUES(2,1,9,11,1,'{"answer":{"seq":10}}',425603184);
INSERT INTO answer VALUES(2,2,10,12,1,'{"answer":{"seq":11}}',3704171800);
INSERT INTO answer VALUES(2,3,11,13,1,'{"answer":{"seq":12}}',3341456497);
INSERT INTO answer VALUES(3,1,1,2,1,'{"answer":{"seq":3}}',2716268772);
INSERT INTO answer VALUES(3,2,2,5,1,'{"answer":{"session":"s-5g3xfsj1kbg2","participant":"p-k1cmvns2dqxr"}}',3997924332);
INSERT INTO answer VALUES(3,3,3,14,1,'{"error":{"code":"forbidden","message":"the role does not allow this","reason":"manageParticipants"}}',44874295);
CREATE TABLE clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  boot TEXT NOT NULL,
  host INTEGER NOT NULL,
  instant INTEGER NOT NULL,
  sum INTEGER NOT NULL
);
CREATE TABLE tally (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  live INTEGER NOT NULL
);
INSERT INTO tally VALUES(1,4);
CREATE TABLE notice (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  text TEXT NOT NULL
);
CREATE TABLE recent (
  id INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  number INTEGER NOT NULL,
  request INTEGER NOT NULL,
  format INTEGER NOT NULL,
  body TEXT NOT NULL,
  sum INTEGER NOT NULL
);
INSERT INTO recent VALUES(1,2,0,12,14,1,'{"answer":{"seq":15}}',3926036482);
INSERT INTO recent VALUES(2,2,1,13,15,1,'{"answer":{"seq":17}}',6015737514);
INSERT INTO recent VALUES(3,2,2,14,16,1,'{"answer":{"seq":18}}',12850810422);
INSERT INTO recent VALUES(4,3,0,4,17,1,'{"error":{"code":"forbidden","message":"the role does not allow this","reason":"manageParticipants"}}',3414523132);
INSERT INTO recent VALUES(5,3,1,5,18,1,'{"answer":{"seq":19}}',6266516704);
INSERT INTO recent VALUES(6,2,3,15,19,1,'{"answer":{"seq":8}}',14416850594);
INSERT INTO recent VALUES(7,2,0,16,20,1,'{"answer":{"seq":20}}',4228383387);
INSERT INTO recent VALUES(8,2,1,17,21,1,'{"answer":{}}',7915559392);
INSERT INTO recent VALUES(9,2,2,18,22,1,'{"answer":{"seq":21}}',9154997277);
CREATE UNIQUE INDEX live ON stream (kind, name) WHERE ended IS NULL;
CREATE INDEX alive ON stream (id) WHERE ended IS NULL;
CREATE INDEX over ON stream (ended) WHERE ended IS NOT NULL;
COMMIT;
