import JSON
import Testing
import Vocabulary

@testable import Players

@Suite struct MpvMessageTests {
  private func read(_ line: String) throws -> MpvMessage {
    var parser = JSONParser(maximumBytes: 10_000)
    return try parser.parse(line.utf8.span) { (object) throws(DecodingFlaw) in
      try MpvMessage(object)
    }
  }

  @Test func `lines of mpv 0.35 are read`() throws {
    let expected: [(String, MpvMessage)] = [
      (#"{"data":5.04,"request_id":9,"error":"success"}"#, .reply(id: 9, .done(.number(5.04)))),
      (#"{"data":true,"request_id":1,"error":"success"}"#, .reply(id: 1, .done(.flag(true)))),
      (#"{"data":null,"request_id":1,"error":"success"}"#, .reply(id: 1, .done(.none))),
      (
        #"{"data":{"playlist_entry_id":2},"request_id":1,"error":"success"}"#,
        .reply(id: 1, .done(.entry(2)))
      ),
      (
        #"{"data":{"cache-end":5.98,"eof":false,"seekable-ranges":[]},"request_id":1,"error":"success"}"#,
        .reply(id: 1, .done(.cache(MpvCache(end: 5.98, isWhole: false))))
      ),
      (
        #"{"request_id":34,"error":"property unavailable"}"#,
        .reply(id: 34, .refused("property unavailable"))
      ),
      (#"{"event":"property-change","id":1,"name":"eof-reached"}"#, .changed(.endReached, .none)),
      (#"{"event":"property-change","id":1,"name":"unknown","data":[1]}"#, .other),
      (#"{"event":"start-file","playlist_entry_id":1}"#, .startedFile(entry: 1)),
      (
        #"{"event":"end-file","reason":"error","playlist_entry_id":2,"file_error":"loading failed"}"#,
        .endedFile(entry: 2, .failed("loading failed"))
      ),
      (
        #"{"event":"end-file","reason":"quit","playlist_entry_id":2}"#,
        .endedFile(entry: 2, .quitting)
      ),
      (
        #"{"event":"end-file","reason":"redirect","playlist_entry_id":3,"playlist_insert_id":4}"#,
        .endedFile(entry: 3, .list)
      ),
      (
        #"{"event":"end-file","reason":"stop","playlist_entry_id":1}"#,
        .endedFile(entry: 1, .displaced)
      ),
      (#"{"event":"seek"}"#, .seek),
      (#"{"event":"playback-restart"}"#, .playbackRestart),
      (#"{"event":"audio-reconfig"}"#, .other),
      (#"{"hello":"world"}"#, .other),
    ]
    for (line, message) in expected { #expect(try read(line) == message) }
    #expect(throws: DecodingFlaw.self) { try read(#"{"event":"start-file"}"#) }
  }

  @Test func `commands are written as mpv reads them`() {
    let expected: [(MpvCommand, String)] = [
      (.get(.soundPosition), #"{"command":["get_property","audio-pts"],"request_id":3}"#),
      (.setFlag(.pause, true), #"{"command":["set_property","pause",true],"request_id":3}"#),
      (.setNumber(.speed, 1.05), #"{"command":["set_property","speed",1.05],"request_id":3}"#),
      (
        .seek(to: .seconds(0.00002)),
        #"{"command":["seek",0.000020,"absolute+exact"],"request_id":3}"#
      ),
      (
        .load(url: "a\"b", startingAt: .seconds(5.013)),
        #"{"command":{"name":"loadfile","url":"a\"b","options":{"start":"5.013000"}},"request_id":3}"#
      ),
      (.stop, #"{"command":["stop"],"request_id":3}"#),
    ]
    for (command, line) in expected {
      var writer = JSONWriter()
      command.write(id: 3, to: &writer)
      #expect(String(decoding: writer.bytes, as: UTF8.self) == line + "\n")
    }
  }

  @Test func `a window has a title as it is`() {
    var settings = MpvSettings()
    settings.output = .window(title: "a ${path} $ b")
    settings.extraArguments = ["--mute"]
    let arguments = settings.arguments(socketPath: "/x/s")
    #expect(arguments.contains("--title=a $${path} $$ b"))
    #expect(arguments.contains("--input-ipc-server=/x/s"))
    #expect(!arguments.contains("--vo=null"))
    #expect(arguments.last == "--mute")
  }
}
