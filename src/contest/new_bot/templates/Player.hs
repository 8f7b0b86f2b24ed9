-- A player for Santorini: it wins if it can, and otherwise plays any legal turn (santorini help rules).
module Main (main) where

import Data.List (isPrefixOf, tails)
import GHC.Clock (getMonotonicTimeNSec)
import System.IO (BufferMode (LineBuffering), hSetBuffering, stdout)

type Space = [Int] -- row and column, from 1 to 5
type Board = ([[Space]], [[Int]], Int) -- both players' workers, levels, turn

-- The text after a word. Haskell can read lists of numbers as written in JSON.
behind :: Read a => String -> String -> a
behind word text = head [value | rest <- tails text, word `isPrefixOf` rest
                               , (value, _) <- reads (drop (length word) rest)]

spaces :: [Space]
spaces = [[row, column] | row <- [1 .. 5], column <- [1 .. 5]]

near :: Space -> [Space]
near a = [b | b <- spaces, b /= a, all ((< 2) . abs) (zipWith (-) a b)]

level :: [[Int]] -> Space -> Int
level levels space = levels !! (head space - 1) !! (last space - 1)

-- Each legal turn: whether it wins, and the board after it.
turns :: Board -> [(Bool, Board)]
turns ([mine, theirs], levels, turn) =
  [ (wins, ([theirs, moved], after, turn + 1))
  | old <- mine, new <- near old, new `notElem` mine ++ theirs
  , level levels new <= min 3 (level levels old + 1)
  , let moved = [if worker == old then new else worker | worker <- mine]
        wins = level levels new == 3
  , after <- if wins then [levels] else
      [built space | space <- near new, space `notElem` moved ++ theirs, level levels space < 4] ]
  where
    built space = [ [level levels [row, column] + fromEnum ([row, column] == space)
                    | column <- [1 .. 5]] | row <- [1 .. 5] ]
turns _ = []

choose :: [a] -> IO a
choose list = do
  clock <- getMonotonicTimeNSec
  pure (list !! (fromIntegral (clock `div` 7) `mod` length list))

answer :: String -> IO String
answer question@('[' : _) = do
  let placed = read question :: [[Space]]
  own <- choose [[a, b] | a <- spaces, b <- spaces, a /= b, all (`notElem` concat placed) [a, b]]
  pure (show (placed ++ [own]))
answer question = do
  let all' = turns (behind "\"players\":" question, behind "\"spaces\":" question, behind "\"turn\":" question)
      wins = [board | (True, board) <- all']
  (players, levels, turn) <- choose (if null wins then map snd all' else wins)
  pure ("{\"players\":" ++ show players ++ ",\"spaces\":" ++ show levels ++ ",\"turn\":" ++ show turn ++ "}")

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  questions <- lines <$> getContents
  mapM_ (\question -> answer question >>= putStrLn) questions
