// A whole game through Sabaki's GTP library: `node whole_game.js ISHI`. Prints what happened as one line of JSON.
// Everything that can be written ahead is written ahead, as Sabaki does.

const assert = require('assert')
const {Controller, ControllerStateTracker} = require('@sabaki/gtp')

const most = 250

// No ids: the library matches answers by their order. Here every command gets one, to see it come back.
let lastId = 0
const numbered = (name, ...args) => ({id: ++lastId, name, args: args.map(String)})

async function ask(engine, name, ...args) {
  const command = numbered(name, ...args)
  const response = await engine.sendCommand(command)
  assert.strictEqual(response.id, command.id)
  assert(!response.error, `${name} ${args}: ${response.content}`)
  return response.content
}

/** Sends everything at once and waits for all answers. */
function askAll(engine, commands) {
  return Promise.all(commands.map(command => ask(engine, ...command)))
}

/** Black and White in turn until two passes or a resignation; the moves, each as the library's tracker has it. */
async function playGame(engine) {
  const moves = []
  while (moves.length < most) {
    const color = moves.length % 2 === 0 ? 'B' : 'W'
    // The next move and a look at it are written ahead of its answer.
    const [move, last] = await askAll(engine, [['genmove', color], ['last_move']])
    moves.push(move)
    if (move === 'resign') break
    assert(last.endsWith(` ${move}`), `${last} after ${move}`)
    if (moves.slice(-2).join() === 'pass,pass') break
  }
  return moves
}

/** An analysis that the next command ends: how many lines came. */
async function analyse(engine, name) {
  let lines = 0
  let next = null
  const response = await engine.sendCommand(numbered(name, 'b', 5), ({line}) => {
    if (!line.startsWith('info move ')) return
    lines++
    if (lines === 3) next = ask(engine, 'name')
  })
  assert(!response.error)
  assert.match(await next, /^ishi /)
  return lines
}

/** The move of a genmove that shows its thoughts. */
async function generateAnalysed(engine) {
  let played = null
  await engine.sendCommand(numbered('genmove_analyze', 'B', 10), ({line}) => {
    const match = line.match(/^play (.*)$/)
    if (match) played = match[1]
  })
  return played
}

async function main() {
  const engine = new Controller(process.argv[2], ['gtp', '--engine', 'go-flat:playouts=60,resign=0', '--quiet'])
  const tracker = new ControllerStateTracker(engine)
  const stopped = new Promise(resolve => engine.once('stopped', resolve))
  engine.start()

  const setup = [['boardsize', 9], ['clear_board'], ['komi', 7], ['play', 'b', 'e5'], ['undo'], ['list_commands']]
  const commands = (await askAll(engine, setup)).pop().split('\n')
  assert(commands.includes('genmove'))

  const moves = await playGame(engine)
  const score = await ask(engine, 'final_score')
  const dead = await ask(engine, 'final_status_list', 'dead')

  // The library's own idea of the state brings the engine back to an earlier one.
  await tracker.sync({boardsize: [9, 9], komi: 7, history: tracker.state.history.slice(0, 4)})
  const history = (await ask(engine, 'move_history')).split('\n').length

  const wrong = await engine.sendCommand({id: 99, name: 'play', args: ['b', 'I9']})
  assert(wrong.error && wrong.id === 99)

  const lines = [await analyse(engine, 'analyze'), await analyse(engine, 'lz-analyze')]
  const generated = await generateAnalysed(engine)
  await engine.stop()
  const {code, signal} = await stopped
  // Version 3.0.0 gives the exit code as `signal`, later ones as `code`.
  const exit = code === undefined ? signal : code
  console.log(JSON.stringify({moves, score, dead, history, lines, generated, exit}))
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
