func.func @add(%left: tensor<4xf32>, %right: tensor<4xf32>) -> tensor<4xf32> {
  %sum = arith.addf %left, %right : tensor<4xf32>
  return %sum : tensor<4xf32>
}
