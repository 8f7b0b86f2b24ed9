-- A player for Santorini with god cards: it wins if it can, and otherwise plays any legal turn.
-- The rules, the cards and the JSON: santorini help rules
module Main (main) where

import Data.List (isPrefixOf, tails, (\\))
import GHC.Clock (getMonotonicTimeNSec)
import System.IO (BufferMode (LineBuffering), hSetBuffering, stdout)

type Space = [Int] -- row and column, from 1 to 5
data Board = Board { card :: String, mine, theirs :: [Space], levels :: [[Int]] } -- card: of the player to move

spaces :: [Space]
spaces = [[row, column] | row <- [1 .. 5], column <- [1 .. 5]]

near :: Space -> [Space]
near a = [b | b <- spaces, b /= a, all ((< 2) . abs) (zipWith (-) a b)]

level :: Board -> Space -> Int
level board space = levels board !! (head space - 1) !! (last space - 1)

built :: Board -> Space -> Int -> Board
built board at new = board { levels =
  [[if [row, column] == at then new else level board [row, column] | column <- [1 .. 5]] | row <- [1 .. 5]] }

swap :: Space -> Space -> [Space] -> [Space]
swap old new = map (\space -> if space == old then new else space)

free :: Board -> Space -> Bool
free board space = space `elem` spaces && space `notElem` mine board ++ theirs board && level board space < 4

-- Each new space of a worker, whether the move wins, and the board after it.
moves :: Int -> Board -> Space -> [(Space, Bool, Board)]
moves climb board old =
  [ (new, high == 3 && low < 3 || card board == "Pan" && low > high + 1, after)
  | new <- near old, new `notElem` mine board
  , let low = level board old
        high = level board new
        next = zipWith (\to from -> 2 * to - from) new old
  , high <= min 3 (low + climb)
  , pushed <- if new `notElem` theirs board then [theirs board] else
      [swap new old (theirs board) | card board == "Apollo"] ++
      [swap new next (theirs board) | card board == "Minotaur", free board next]
  , let after = board { mine = swap old new (mine board), theirs = pushed } ]

-- Each space near a worker, and the board after one more level there.
builds :: Board -> Space -> [(Space, Board)]
builds board worker = [(space, built board space (level board space + 1)) | space <- near worker, free board space]

-- Each legal turn: whether it wins, and the board after it.
turns :: Board -> [(Bool, Board)]
turns board = concat [if wins then [(True, after)] else [(False, end) | end <- ends new after] | (new, wins, after) <- starts]
  where
    starts = once ++
      [more | card board == "Artemis", old <- mine board, (new, False, after) <- moves 1 board old
            , more@(space, _, _) <- moves 1 after new, space /= old] ++
      [move | card board == "Prometheus", old <- mine board, (_, first) <- builds board old, move <- moves 0 first old]
    once = concatMap (moves 1 board) (mine board)
    ends worker after = concat [ one : more worker space one | (space, one) <- builds after worker ]
    more worker space one = case card board of
      "Atlas" -> [built one space 4 | level one space < 4]
      "Hephastus" -> [built one space (level one space + 1) | level one space < 3]
      "Demeter" -> [two | (other, two) <- builds one worker, other /= space]
      _ -> []

-- The values after a word. Haskell can read texts and lists of numbers as written in JSON.
behind :: Read a => String -> String -> [a]
behind word text = [value | rest <- tails text, word `isPrefixOf` rest, (value, _) <- reads (drop (length word) rest)]

choose :: [a] -> IO a
choose list = do
  clock <- getMonotonicTimeNSec
  pure (list !! (fromIntegral (clock `div` 7) `mod` length list))

player :: String -> [Space] -> String
player name workers = "{\"card\":" ++ show name ++ tokens ++ "}"
  where tokens = if null workers then "" else ",\"tokens\":" ++ show workers

answer :: String -> IO String
answer question = case (behind "\"card\":" question, behind "\"tokens\":" question) of
  ([me, other], [own, opponents]) -> do
    let all' = turns (Board me own opponents (head (behind "\"spaces\":" question)))
        wins = [board | (True, board) <- all']
        turn = head (behind "\"turn\":" question) :: Int
    after <- choose (if null wins then map snd all' else wins)
    pure ("{\"players\":[" ++ player other (theirs after) ++ "," ++ player me (mine after) ++ "],\"spaces\":"
      ++ show (levels after) ++ ",\"turn\":" ++ show (turn + 1) ++ "}")
  ([me, other], placed) -> do -- place both workers
    let open = spaces \\ concat placed
    own <- choose [[a, b] | a <- open, b <- open, a /= b]
    pure ("[" ++ player other (concat placed) ++ "," ++ player me own ++ "]")
  _ -> fail "this player needs cards"

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  questions <- lines <$> getContents
  mapM_ (\question -> answer question >>= putStrLn) questions
